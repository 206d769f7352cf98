import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Deps } from '@/lib/deps'
import { ask, deps } from './testing/things'

describe('many records', () => {
  beforeEach(async () => {
    await deps.db.execute(
      sql`insert into entities.thing (name, age) select repeat('n', 40) || g, g % 7 from generate_series(1, 8000) g`,
    )
  })

  test('break the response off when something fails in the middle', async () => {
    const copyOut: Deps['copyOut'] = async function* (query, signal) {
      let chunks = 0
      for await (const chunk of original(query, signal)) {
        if (chunks++ === 1) throw new Error('connection lost')
        yield chunk
      }
    }
    const original = deps.copyOut
    deps.copyOut = copyOut
    for (const format of ['csv', 'json', 'xlsx'])
      await expect((await ask(`format=${format}`)).arrayBuffer()).rejects.toThrow()
  })

  test('are refused while too many are being fetched', async () => {
    deps.settings = { ...deps.settings, DATABASE_POOL_SIZE: 2, QUEUE_WAIT_MS: 1 }
    const first = await ask('format=csv')
    const second = await ask('format=csv')
    expect(second.status).toBe(503)
    expect(second.headers.get('retry-after')).toBe('10')
    await first.body?.cancel()
    expect((await ask('format=csv')).status).toBe(200)
  })
})
