import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { installs, pluginChanges, pluginDefinitionChanges } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { sweepChanges } from './life-cycle'

const deps = freshDeps({ PLUGIN_UNDO_INSTALLS: '2', PLUGIN_UNDO_DAYS: '5' })

test('what the last installs of a plugin changed is kept for some days', async () => {
  for (const [id, pluginId, days] of [
    [1, 'a.a', 1],
    [2, 'a.a', 1],
    [3, 'b.b', 9],
    [4, 'a.a', 1],
    [5, 'b.b', 1],
  ] as const) {
    const startedAt = new Date(Date.now() - days * 86_400_000)
    const row = { id, pluginId, startedAt, completedAt: startedAt, source: '', sha256: '' }
    await deps.db.insert(installs).values({ ...row, status: 'SUCCESS' })
    const noted = { installId: id, name: pluginId }
    await deps.db.insert(pluginDefinitionChanges).values({ ...noted, position: 1, kind: 'plugin' })
    await deps.db
      .insert(pluginChanges)
      .values({ installId: id, entity: 'E', key: '1', change: 'unchanged' })
  }
  expect(await sweepChanges(deps)).toBe(2)
  const left = sql`select install_id::int as id from engine.plugin_changes order by 1`
  expect(await rows(deps.db, left)).toEqual([{ id: 2 }, { id: 4 }, { id: 5 }])
})
