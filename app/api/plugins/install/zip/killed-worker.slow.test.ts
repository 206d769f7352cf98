import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import { checkReadiness } from '@/lib/health/check-readiness'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps, testsOnCitus } from '@/lib/testing/deps'
import { ownCitus } from '@/lib/testing/own-citus'
import { whyNoCitus } from '@/scripts/steps/throwaway-citus.mjs'
import { install } from '../../testing/plugin-api'

const KILLS = 4
const FILES = 4
const RECORDS_A_FILE = 300

/** The n-th version of the plugin: another column, and another value in every record. */
function versionOf(version: number) {
  const columns = Array.from({ length: version }, (_, n) => ({ name: `v${n + 1}`, type: 'string' }))
  const data = (file: number) =>
    Array.from({ length: RECORDS_A_FILE }, (_, n) => ({ id: `${file}-${n}`, version }))
  const entity = {
    name: 'Item',
    pks: [{ key: 'id', strategy: 'Fixed', type: 'string' }],
    insertDuplicate: 'Upsert',
    distribution: { by: 'id' },
  }
  const properties = [
    { name: 'id', type: 'string' },
    { name: 'version', type: 'integer' },
    ...columns,
  ]
  return pluginFiles(
    {
      EngineSchemas: { files: { 'Item.json': { name: 'Item', properties } } },
      EngineEntities: { files: { 'Item.json': entity } },
      Item: {
        files: Object.fromEntries(
          Array.from({ length: FILES }, (_, n) => [`${n}.json`, data(n)] as const),
        ),
      },
    },
    { version: String(version) },
  )
}

describe.runIf(testsOnCitus() && whyNoCitus() === null)('a worker that is killed', () => {
  const deps = freshDeps()
  const own = ownCitus()
  /** What is there of a version, as paths of its files; throws for half a file. */
  async function present(version: number): Promise<string[]> {
    const files = await rows<{ file: string; low: number; high: number; count: number }>(
      own.db,
      sql`select split_part(id, '-', 1) as file, min(version)::int as low, max(version)::int as high,
            count(*)::int as count from entities.item group by 1`,
    )
    for (const { low, high, count } of files)
      expect({ high, count }).toEqual({ high: low, count: RECORDS_A_FILE })
    const { known } = one(
      await rows<{ known: boolean }>(
        own.db,
        sql`select exists (select from engine.entities, jsonb_array_elements(columns) c
          where name = 'Item' and c ->> 'name' = ${`v${version}`}) as known`,
      ),
    )
    // On each shard, or on none.
    const read = own.db.execute(
      sql`select count(${sql.identifier(`v${version}`)}) from entities.item`,
    )
    expect(
      await read.then(
        () => true,
        () => false,
      ),
    ).toBe(known)
    const data = files.filter(({ low }) => low === version).map(({ file }) => `Item/${file}.json`)
    return [...data, ...(known ? ['EngineSchemas/Item.json'] : [])].sort()
  }

  /** The files that the last install says it has installed; the entity is the same in each version. */
  async function installed(): Promise<string[]> {
    const found = await rows<{ path: string }>(
      own.db,
      sql`select path from engine.install_files where status <> 'failed' and path !~ 'Entities'
        and install_id = (select max(id) from engine.installs) order by 1`,
    )
    return found.map(({ path }) => path)
  }

  const cluster = async () =>
    (await checkReadiness({ ...deps, db: Object.create(own.db) })).database.cluster

  test(`during an install, ${KILLS} times, leaves whole files and a history that says which`, async () => {
    const { kill, recover, close, ...database } = own
    Object.assign(deps, database)
    await install(deps, versionOf(0))
    const startedAt = performance.now()
    await install(deps, versionOf(1))
    const installMs = performance.now() - startedAt
    for (let version = 2; version < KILLS + 2; version++) {
      const mode = version % 2 === 0 ? 'atomic' : 'partial'
      const files = versionOf(version)
      const running = install(deps, files, { query: `?mode=${mode}` }).catch(() => null)
      await new Promise((resolve) => setTimeout(resolve, (installMs * (version - 1.5)) / KILLS))
      kill()
      await running
      expect(await cluster()).toMatchObject({ workers: 2, unreachable: 1 })
      await recover()
      expect(await cluster()).toEqual({ workers: 2, unreachable: 0, unresolved: 0 })
      const [last] = await rows<{ version: string; id: number; status: string }>(
        own.db,
        sql`select version, id::int, status from engine.installs order by id desc limit 1`,
      )
      expect(last?.status).not.toBe('IN_PROGRESS')
      const stored = await present(version)
      expect(stored).toEqual(last?.version === String(version) ? await installed() : [])
      if (mode === 'atomic') expect([0, FILES + 1]).toContain(stored.length)

      expect((await install(deps, files)).body.data.failedCount).toBe(0)
      expect(await present(version)).toHaveLength(FILES + 1)
    }
  }, 300_000)
})
