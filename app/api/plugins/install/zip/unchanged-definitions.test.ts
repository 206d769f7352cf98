import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { statementsOf } from '@/lib/testing/count-round-trips'
import { deps, post } from '../../testing/books'
import { historyOf, install, logsOf, upload, verdicts } from '../../testing/plugin-api'
import { FIXED } from '../../testing/reference-plugins'

const NAMES = Array.from({ length: 10 }, (_, at) => `Part${String(at).padStart(2, '0')}`)
const TEXT = { name: 'v', type: 'text' }

/** A schema and an entity of each name, a file each; `different`: other properties of some schemas. */
function parts(plugin: object = {}, different: Record<string, object[]> = {}) {
  const files = (content: (name: string) => unknown) =>
    Object.fromEntries(NAMES.map((name) => [`${name}.json`, content(name)]))
  const properties = (name: string) => different[name] ?? [{ name: 'id', type: 'text' }, TEXT]
  return pluginFiles(
    {
      EngineSchemas: { files: files((name) => ({ name, properties: properties(name) })) },
      EngineEntities: { files: files((name) => ({ name, pks: FIXED, insertDuplicate: 'Upsert' })) },
      Part07: { files: { 'data.json': [{ id: '1', v: 'x' }] } },
    },
    plugin,
  )
}

describe('definitions that are installed already', () => {
  test('are all in the log, in their order, beside those that change', async () => {
    const first = await install(deps, parts())
    expect(first.body.data).toMatchObject({ totalFiles: 21, successCount: 21 })
    const wider = [{ name: 'id', type: 'text' }, TEXT, { name: 'w', type: 'text' }]
    const second = await install(
      deps,
      parts({ version: '2.0.0' }, { Part05: wider, Part09: wider }),
    )
    expect(second.logs.map(({ path }) => path)).toEqual(first.logs.map(({ path }) => path))
    const others = second.logs.filter(({ status }) => status !== 'unchanged')
    expect(verdicts(others)).toEqual({
      'EngineSchemas/Part05.json': 'updated',
      'EngineSchemas/Part09.json': 'updated',
    })
    expect(second.logs[0]).toMatchObject({
      target: 'EngineSchemas',
      records: { created: 0, updated: 0, unchanged: 1, failed: 0 },
      changes: [],
    })
    expect(await historyOf(deps, second.body.data.history)).toMatchObject({
      status: 'SUCCESS',
      processedFiles: 21,
      successCount: 21,
      recordCount: 1,
    })
  })

  test('take few statements together, and are the same in a dry run and in atomic mode', async () => {
    const files = parts()
    await install(deps, files)
    const only = Object.fromEntries(Object.entries(files).filter(([path]) => !/^Part/.test(path)))
    let response: Awaited<ReturnType<typeof upload>> | undefined
    const statements = await statementsOf(deps, async () => {
      response = await upload(deps, only)
    })
    expect(response?.body.data).toMatchObject({ totalFiles: 20, successCount: 20 })
    expect(statements.length).toBeLessThan(90)
    const logs = await logsOf(deps, response?.body.data.history)
    const outcome = ({ path, status, changes, records }: (typeof logs)[number]) => ({
      path,
      status,
      changes,
      records,
    })
    const tried = await upload(deps, only, { query: '?dryRun=true' })
    expect(tried.body.data.plan.files.map(outcome)).toEqual(logs.map(outcome))
    const atomic = await install(deps, only, { query: '?mode=atomic' })
    expect(atomic.logs.map(outcome)).toEqual(logs.map(outcome))
  })

  test('of another plugin stay its own, as the log says, and the right to install is enough to leave them', async () => {
    await install(deps, parts({ id: 'com.example.first' }))
    const second = parts({ id: 'com.example.second' })
    const { body } = await post(second, ['plugins:install'])
    const logs = await logsOf(deps, body.data.history)
    const changes = logs.filter(({ target }) => target !== 'Part07').flatMap((log) => log.changes)
    expect(changes).toEqual(
      [...NAMES, ...NAMES].map((name) => `${name} came from the plugin com.example.first`),
    )
  })

  test('are looked at one by one when the database refuses to record them together', async () => {
    await install(deps, parts())
    for (const code of ['40P01', '55P03', 'XX000']) {
      // A counter is not rolled back, so only the first attempt is refused.
      await deps.db.execute(sql`create sequence engine.attempts`)
      await deps.db.execute(
        sql`create function engine.refuse() returns trigger language plpgsql as ${sql.raw(
          `$$ begin
          if nextval('engine.attempts') = 1 then raise exception 'refused' using errcode = '${code}'; end if;
          return new;
        end $$`,
        )}`,
      )
      await deps.db.execute(sql`create trigger refuse before insert on engine.install_files
        for each row execute function engine.refuse()`)
      try {
        const { body, logs } = await install(deps, parts())
        expect(body.data, code).toMatchObject({ totalFiles: 21, successCount: 21 })
        expect(new Set(logs.map(({ status }) => status))).toEqual(new Set(['unchanged']))
      } finally {
        await deps.db.execute(sql`drop function engine.refuse cascade`)
        await deps.db.execute(sql`drop sequence engine.attempts`)
      }
    }
  })

  test('cannot be changed by others until an atomic install ends', async () => {
    await install(deps, parts())
    const lock = (statements: string[]) =>
      statements.findIndex((text) => text.includes('pg_advisory_xact_lock'))
    const statements = await statementsOf(deps, () =>
      install(deps, parts(), { query: '?mode=atomic' }),
    )
    const compared = statements.findIndex(
      (text) => text.includes('union all') && text.includes('"definition"'),
    )
    expect(lock(statements)).toBeGreaterThan(0)
    expect(lock(statements)).toBeLessThan(compared)
  })

  test('types that build on each other are told in the order of their bases', async () => {
    const types = [
      { name: 'Zeta', baseType: 'Alpha', meta: { maxLength: 3 } },
      { name: 'Alpha', baseType: 'text' },
    ]
    const files = { EngineTypes: { files: { 't.json': types } } }
    await install(deps, pluginFiles(files, { id: 'com.example.first' }))
    const { logs } = await install(deps, pluginFiles(files, { id: 'com.example.second' }))
    expect(logs[0]).toMatchObject({
      status: 'unchanged',
      changes: [
        'Alpha came from the plugin com.example.first',
        'Zeta came from the plugin com.example.first',
      ],
    })
  })

  test('differ when only the case of a name does', async () => {
    await install(deps, parts())
    const { logs } = await install(
      deps,
      pluginFiles({ EngineEntities: { files: { 'E.json': { name: 'PART03', pks: FIXED } } } }),
    )
    expect(logs[0]).toMatchObject({ status: 'failed', error: 'Invalid definition' })
  })
})
