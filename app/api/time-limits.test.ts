import { beforeAll, describe, expect, test, vi } from 'vitest'
import { metrics } from '@/lib/metrics/metrics'
import { testsOnPostgres } from '@/lib/testing/deps'
import { ask, prepare, runningStatements, withSignal } from './testing/places'

describe('what takes too long', () => {
  const { 'an export': _, ...timed } = ask
  const limits = { MAX_SEARCH_COST: '1e12', READ_TIMEOUT_MS: '1000', WRITE_TIMEOUT_MS: '1000' }
  // The limit is for the whole request: what is read once for all must not be what it meets on a busy machine.
  beforeAll(async () => {
    await prepare(limits)
    for (const request of Object.values(timed)) await request(1)
  })

  test.each(Object.keys(timed))('%s is stopped, and says what to narrow', async (name) => {
    const response = await ask[name]?.(400)
    expect(response).toMatchObject({
      status: 503,
      body: { error: expect.stringMatching(/took too long .*400 times icontains on "name"/) },
    })
    expect(response?.headers.get('retry-after')).toBe('1')
    if (testsOnPostgres()) await expect.poll(runningStatements).toBe(0)
    expect(await metrics().registry.metrics()).toMatch(
      /engine_requests_stopped_total\{reason="timed out"\} 1\n/,
    )
  })

  // The embedded database has one connection, so no other connection could see what it runs.
  test.runIf(testsOnPostgres()).each(Object.keys(ask))(
    '%s ends when its client leaves',
    async (name) => {
      await prepare({ MAX_SEARCH_COST: '1e12' })
      const left = new AbortController()
      vi.stubGlobal('Request', withSignal(left.signal))
      const response = ask[name]?.(400)
      await expect.poll(runningStatements).toBe(1)
      left.abort()
      await response?.catch(() => {})
      vi.unstubAllGlobals()
      await expect.poll(runningStatements).toBe(0)
    },
  )
})
