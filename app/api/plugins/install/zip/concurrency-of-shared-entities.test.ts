import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { testDeps } from '@/lib/testing/deps'
import { count, deps, numbered, plugin } from '../../testing/numbered-plugins'
import { install } from '../../testing/plugin-api'

describe('concurrent installs of different plugins', () => {
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
})
