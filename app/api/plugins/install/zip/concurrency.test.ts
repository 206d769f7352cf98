import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { takeSlot } from '@/lib/installs/running-installs'
import { testDeps } from '@/lib/testing/deps'
import { count, deps, numbered, plugin } from '../../testing/numbered-plugins'
import { install, upload } from '../../testing/plugin-api'

describe('concurrent installs of different plugins', () => {
  test('twelve of them all end well', async () => {
    const ids = Array.from({ length: 12 }, (_, n) => `p${n}`)
    const responses = await Promise.all(
      ids.map((id) => install(deps, plugin(id, `Entity_${id}`, numbered(50)))),
    )
    for (const { status, body } of responses)
      expect({ status, body }).toMatchObject({ status: 200, body: { data: { failedCount: 0 } } })
    for (const id of ids) expect(await count(`entity_${id}`)).toBe(50)
    expect(
      await rows(deps.db, sql`select 1 from engine.installs where status <> 'SUCCESS'`),
    ).toEqual([])
  })

  test('that wait too long for a slot get a Retry-After', async () => {
    await testDeps({ MAX_INSTALLS: '1', INSTALL_WAIT_MS: '60' })
    const release = await takeSlot(deps)
    for (const query of ['', '?dryRun=true']) {
      const refused = await upload(deps, plugin('b', 'B', []), { query })
      expect(refused).toMatchObject({
        status: 503,
        body: { error: expect.stringContaining('try again') },
      })
      expect(refused.headers.get('retry-after')).toBe('10')
    }
    release()
    expect(await upload(deps, plugin('b', 'B', []))).toMatchObject({ status: 200 })
    expect(await rows(deps.db, sql`select 1 from engine.installs`)).toHaveLength(1)
  })
})
