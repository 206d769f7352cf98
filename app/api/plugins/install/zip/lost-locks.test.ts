import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { installLock } from '@/lib/installs/history-entries'
import { sweepInstalls } from '@/lib/installs/sweep-installs'
import { pluginFiles } from '@/lib/testing/archive'
import { count, deps, FIXED, holding, numbered, plugin } from '../../testing/numbered-plugins'
import { historyOf, install } from '../../testing/plugin-api'

describe('an install that lost its lock while its process lives', () => {
  /** As the sweep of another instance does that finds the lock free. */
  const closeAll = () =>
    sweepInstalls({ ...deps, locks: { ...deps.locks, isHeld: async () => false } })

  test.each(['partial', 'atomic'])('writes nothing more once it is closed (%s)', async (mode) => {
    const many = Array.from({ length: 40 }, (_, file) => [`${file}.json`, [{ id: String(file) }]])
    const files = pluginFiles({
      EngineEntities: { files: { 'Thing.json': { name: 'Thing', pks: FIXED } } },
      Thing: { files: Object.fromEntries(many) },
    })
    const running = install(deps, files, { query: `?mode=${mode}` })
    const done = () => rows(deps.db, sql`select 1 from engine.install_files`)
    const opened = () => rows(deps.db, sql`select 1 from engine.installs`)
    while ((await (mode === 'partial' ? done() : opened())).length === 0) await nextTurn()
    const [swept] = await closeAll()
    const { status, body, logs } = await running
    expect(status).toBe(mode === 'partial' ? 200 : 422)
    if (!swept) throw new Error('The install was over before it could be closed')
    const history = await historyOf(deps, swept)
    expect(body.data).toEqual({
      history: swept,
      pluginId: 'com.example.shop',
      pluginName: 'Shop',
      totalFiles: 41,
      successCount: history.successCount,
      failedCount: history.failedCount,
    })
    expect(history).toMatchObject({ errors: [expect.stringContaining('stopped before its end')] })
    const good = logs.filter(({ status }) => status !== 'failed')
    expect(good.length).toBe(history.successCount)
    expect(good.length).toBeLessThan(41)
    const isMade = good.some(({ path }) => path === 'EngineEntities/Thing.json')
    const stored = isMade ? await count('thing') : 0
    expect(stored).toBe(good.filter(({ path }) => path.startsWith('Thing/')).length)
  })

  test('is closed by the next install of its plugin', async () => {
    await install(deps, plugin('a', 'Thing', numbered(1)))
    await deps.db.execute(
      sql`update engine.installs set status = 'IN_PROGRESS', completed_at = null,
          planned = '[{"path": "Thing/more.json", "target": "Thing"}]', total_files = 3`,
    )
    const second = await install(
      deps,
      plugin('a', 'Thing', numbered(2), { insertDuplicate: 'Ignore' }),
    )
    expect(second.body.data.failedCount).toBe(0)
    const states = await rows(
      deps.db,
      sql`select status, total_files::int as total, failed_count::int as failed from engine.installs order by started_at`,
    )
    expect(states).toEqual([
      { status: 'PARTIAL', total: 3, failed: 1 },
      { status: 'SUCCESS', total: 2, failed: 0 },
    ])
  })
})

describe('the sweep', () => {
  test('closes installs without a lock, once, and no others', async () => {
    await install(deps, plugin('a', 'A', []))
    await install(deps, plugin('b', 'B', []))
    await deps.db.execute(
      sql`update engine.installs set status = 'IN_PROGRESS', completed_at = null, planned = '[]'`,
    )
    const ids = await rows<{ id: number }>(
      deps.db,
      sql`select id::int from engine.installs order by plugin_id`,
    )
    const [dead, alive] = ids.map(({ id }) => id)
    const release = await holding(installLock(alive ?? 0))
    expect((await Promise.all([sweepInstalls(deps), sweepInstalls(deps)])).flat()).toEqual([dead])
    await release()
    expect(await sweepInstalls(deps)).toEqual([alive])
    expect(await sweepInstalls(deps)).toEqual([])
  })
})
