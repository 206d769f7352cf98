import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import { takeSlot } from '@/lib/plugins/install-slots'
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

  test('that define the same entity and the same records leave one of each', async () => {
    await testDeps({ MAX_INSTALLS: '4' })
    const ids = ['a', 'b', 'c', 'd']
    const responses = await Promise.all(
      ids.map((id, at) =>
        install(
          deps,
          plugin(id, 'Shared', numbered(300, { from: at }), { insertDuplicate: 'Upsert' }),
        ),
      ),
    )
    for (const { body, logs } of responses)
      expect({
        data: body.data,
        failed: logs.filter(({ status }) => status === 'failed'),
      }).toMatchObject({
        data: { failedCount: 0 },
        failed: [],
      })
    expect(await count('shared')).toBe(300)
    const owners = await rows(
      deps.db,
      sql`select distinct "$extra" ->> 'from' from entities.shared`,
    )
    expect(owners).toHaveLength(1)
  })

  test('with conflicting records write them for one, and report the conflict to the others', async () => {
    await testDeps({ MAX_INSTALLS: '3' })
    const responses = await Promise.all(
      ['a', 'b', 'c'].map((id) => install(deps, plugin(id, 'Shared', numbered(300)))),
    )
    const outcomes = responses.map(({ logs }) => logs.at(-1)?.error ?? logs.at(-1)?.status)
    expect(outcomes.sort()).toEqual(['Conflict Issue!', 'Conflict Issue!', 'created'])
    expect(await count('shared')).toBe(300)
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
