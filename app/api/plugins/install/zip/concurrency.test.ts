import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { DELETE } from '@/app/api/entities/[entityName]/batch/route'
import { POST as SEARCH } from '@/app/api/entities/[entityName]/search/route'
import { rows } from '@/lib/db/rows'
import { installLock, pluginLock } from '@/lib/plugins/history/locks'
import { takeSlot } from '@/lib/plugins/install-slots'
import { sweepInstalls } from '@/lib/plugins/sweep-installs'
import { archiveOf, pluginFiles } from '@/lib/testing/archive'
import { freshDeps, testDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { type Files, historyOf, install, logsOf, upload, verdicts } from '../../testing/plugin-api'

const deps = freshDeps()

const FIXED = [{ key: 'id', strategy: 'Fixed', type: 'string' }]

/** A plugin with one entity and one file of records for it. */
function plugin(id: string, entity: string, records: object[], manifest: object = {}): Files {
  return pluginFiles(
    {
      EngineEntities: { files: { 'E.json': { name: entity, pks: FIXED } } },
      [entity]: { manifest: { target: entity, ...manifest }, files: { 'data.json': records } },
    },
    { id: `com.example.${id}` },
  )
}

const numbered = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ id: String(n), ...more }))

const count = async (table: string) =>
  (
    await rows<{ n: number }>(
      deps.db,
      sql`select count(*)::int as n from entities.${sql.identifier(table)}`,
    )
  )[0]?.n

/** Holds a lock until `release` is called. */
async function holding(key: string) {
  let release = () => {}
  const end = new Promise<void>((resolve) => {
    release = resolve
  })
  let work: Promise<void> | undefined
  await new Promise<void>((held) => {
    work = deps.locks.hold(key, 0, async () => {
      held()
      await end
    })
  })
  return async () => {
    release()
    await work
  }
}

describe('two concurrent installs of one plugin', () => {
  test('run one after the other, each in whole', async () => {
    const versions = ['1.0.0', '2.0.0', '3.0.0', '4.0.0']
    const responses = await Promise.all(
      versions.map((version) =>
        upload(deps, {
          ...plugin('a', 'Thing', numbered(200, { version }), { insertDuplicate: 'Upsert' }),
          'engineplugin.json': { id: 'com.example.a', version },
        }),
      ),
    )
    expect(responses.map(({ body }) => body.message)).toEqual(Array(4).fill('Plugin installed'))
    const spans = await rows<{ id: string; low: number; high: number }>(
      deps.db,
      sql`select install_id as id, min(id)::int as low, max(id)::int as high from engine.install_files group by 1 order by 2`,
    )
    for (const [at, { low }] of spans.entries()) {
      expect(low).toBeGreaterThan(spans[at - 1]?.high ?? 0)
    }
    const [plugins] = await rows<{ version: string; stored: string[] }>(
      deps.db,
      sql`select version, array(select distinct "$extra" ->> 'version' from entities.thing) as stored from engine.plugins`,
    )
    expect(plugins?.stored).toEqual([plugins?.version])
  })

  test('end with 409 for the one that waits too long, which the history records', async () => {
    await testDeps({ INSTALL_WAIT_MS: '200' })
    const release = await holding(pluginLock('com.example.a'))
    const { status, body } = await upload(deps, plugin('a', 'Thing', numbered(3)))
    await release()
    expect({ status, body }).toEqual({
      status: 409,
      body: { status: 409, error: expect.stringContaining('"com.example.a" is running') },
    })
    const [kept] = await rows<{ id: number }>(deps.db, sql`select id::int from engine.installs`)
    expect(await historyOf(deps, kept?.id ?? 0)).toMatchObject({
      status: 'FAILED',
      errors: [body.error],
      totalFiles: 2,
      processedFiles: 2,
      failedCount: 2,
    })
    expect(verdicts(await logsOf(deps, kept?.id ?? 0))).toEqual({
      'EngineEntities/E.json': 'Interrupted',
      'Thing/data.json': 'Interrupted',
    })
    expect(await rows(deps.db, sql`select 1 from engine.entities`)).toEqual([])
    expect((await install(deps, plugin('a', 'Thing', numbered(3)))).body.data.failedCount).toBe(0)
  })
})

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

describe('beside an install', () => {
  test('searches and deletes continue, and only see whole files', async () => {
    const FILES = 8
    const data = Array.from({ length: FILES }, (_, file) => [
      `${file}.json`,
      Array.from({ length: 250 }, (_, n) => ({ id: `${file}-${n}`, file })),
    ])
    const files = pluginFiles({
      EngineEntities: { files: { 'Thing.json': { name: 'Thing', pks: FIXED } } },
      Thing: { files: Object.fromEntries(data) },
    })
    await install(deps, plugin('before', 'Other', numbered(10)))
    let isOver = false
    const running = install(deps, files).finally(() => {
      isOver = true
    })
    const totals = new Set<number>()
    while (!isOver) {
      await nextTurn() // the embedded database returns without yielding, and the install needs the event loop
      const found = await search('Thing')
      if (found.status === 200) totals.add(found.body.pagination.total)
      else expect(found.status).toBe(404)
      expect((await search('Other')).status).toBe(200)
      expect((await remove('Other', [{ field: 'id', operator: 'eq', value: '1' }])).status).toBe(
        200,
      )
    }
    expect((await running).body.data.failedCount).toBe(0)
    expect([...totals].filter((total) => total % 250 !== 0)).toEqual([])
    expect((await search('Thing')).body.pagination.total).toBe(FILES * 250)
  })

  test('a delete of all its records leaves those of whole files', async () => {
    const files = plugin('a', 'Thing', numbered(500), { insertDuplicate: 'Upsert' })
    await install(deps, files)
    for (let round = 0; round < 5; round++) {
      const [{ logs }, removed] = await Promise.all([install(deps, files), remove('Thing')])
      expect(removed.status).toBe(200)
      expect(logs.at(-1)?.status).not.toBe('failed')
      expect([0, 500]).toContain(await count('thing'))
    }
  })

  const search = (entityName: string) =>
    call(deps, SEARCH, {
      method: 'POST',
      path: `/api/entities/${entityName}/search`,
      params: { entityName },
      body: {},
      as: 'ADMIN',
    })
  const remove = (entity: string, query?: object[]) =>
    call(deps, DELETE, {
      method: 'DELETE',
      path: `/api/entities/${entity}/batch`,
      params: { entityName: entity },
      body: { entity, query },
      as: 'ADMIN',
    })
})

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
    expect(status).toBe(200)
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

test('a table that others keep locked fails its file, which says so', async () => {
  if (deps.dialect === 'pglite') return // has one connection, so no other session can hold a lock
  await testDeps({ INSTALL_WAIT_MS: '300' })
  await install(deps, plugin('a', 'Thing', numbered(1)))
  await deps.db.transaction(async (tx) => {
    await tx.execute(sql`lock table entities.thing in access exclusive mode`)
    const { status, logs } = await install(deps, plugin('a', 'Thing', [{ id: 'new' }]))
    expect(status).toBe(200)
    expect(logs.at(-1)).toMatchObject({
      error: 'Interrupted',
      details: [{ message: expect.stringContaining('locked') }],
    })
    const preview = await upload(deps, plugin('a', 'Thing', [{ id: 'new' }]), {
      query: '?dryRun=true',
    })
    expect(preview).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining('locked') },
    })
  })
  expect(await count('thing')).toBe(1)
})

test('the bytes of an archive that waits are the ones that were sent', async () => {
  await testDeps({ MAX_INSTALLS: '1' })
  const archives = await Promise.all(
    ['a', 'b', 'c'].map((id) => archiveOf(plugin(id, `E_${id}`, numbered(2)))),
  )
  const responses = await Promise.all(archives.map((archive) => upload(deps, archive)))
  expect(responses.map(({ body }) => body.data.pluginId)).toEqual([
    'com.example.a',
    'com.example.b',
    'com.example.c',
  ])
})
