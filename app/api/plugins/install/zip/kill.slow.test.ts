import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { archiveOf, pluginFiles } from '@/lib/testing/archive'
import { bundleScript } from '@/lib/testing/bundle-script'
import { EngineProcess, type Home, makeHome } from '@/lib/testing/engine-process'
import type { Command } from '../../testing/engine-child'

const KILLS = 10
const DATA_FILES = 6
const RECORDS_A_FILE = 400
const SCRIPT = 'app/api/plugins/testing/engine-child.ts'

let bundle: string

let home: Home
let engine: EngineProcess
/** How long they take when they are not killed: an install in a warm process, a delete in a new one. */
let [installMs, deleteMs] = [0, 0]

beforeAll(async () => {
  bundle = await bundleScript(SCRIPT)
  home = await makeHome()
  engine = await EngineProcess.start(bundle, home)
  await engine.ask(await installOf(0))
  installMs = await timed(async () => engine.ask(await installOf(1)))
  await engine.kill()
  await restart()
  await seed()
  deleteMs = await timed(() => engine.ask(DELETE_HALF))
}, 300_000)
afterAll(async () => {
  await engine.kill()
  await home.remove()
})

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** The n-th version of the plugin: another column, and another value in every record. */
async function installOf(version: number): Promise<Command> {
  const columns = Array.from({ length: version }, (_, n) => ({ name: `v${n + 1}`, type: 'string' }))
  const properties = [
    { name: 'id', type: 'string' },
    { name: 'version', type: 'integer', meta: { indexed: true } },
  ]
  const ids = [{ key: 'id', strategy: 'Fixed', type: 'string' }]
  const records = (file: number) =>
    Array.from({ length: RECORDS_A_FILE }, (_, n) => ({ id: `${file}-${n}`, version }))
  const data = Array.from({ length: DATA_FILES }, (_, n) => [`${n}.json`, records(n)])
  const archive = await archiveOf(
    pluginFiles(
      {
        EngineSchemas: {
          files: { 'Item.json': { name: 'Item', properties: [...properties, ...columns] } },
        },
        EngineEntities: {
          files: {
            'Item.json': { name: 'Item', pks: ids, insertDuplicate: 'Upsert' },
            'Mass.json': { name: 'Mass' },
          },
        },
        Item: { files: Object.fromEntries(data) },
      },
      { version: String(version) },
    ),
  )
  const path = join(home.folder, 'plugin.zip')
  writeFileSync(path, archive)
  const mode = version % 2 === 0 ? 'atomic' : 'partial'
  return { name: 'install', archive: path, query: `?mode=${mode}` }
}

const sql = <Row>(text: string) => engine.ask<Row[]>({ name: 'sql', text })

async function restart(): Promise<void> {
  engine = await EngineProcess.start(bundle, home)
}

type History = { status: string; errors: string[]; ok: number; bad: number; total: number }

/** The history of the newest install of a version; undefined when it never came so far. */
async function historyOf(version: number): Promise<History | undefined> {
  const [found] = await sql<History>(
    `select status, errors, success_count as ok, failed_count as bad, total_files as total
     from engine.installs where version = '${version}' order by started_at desc limit 1`,
  )
  return found
}

/** Paths of the files that the newest install of a version says it has installed. */
async function installedFiles(version: number): Promise<string[]> {
  const found = await sql<{ path: string }>(
    `select path from engine.install_files where status <> 'failed' and install_id =
       (select id from engine.installs where version = '${version}' order by started_at desc limit 1)`,
  )
  return found.map(({ path }) => path).sort()
}

/** What is really there of a version, as the paths of its files; throws for half a file. */
async function presentFiles(version: number): Promise<string[]> {
  const files = await sql<{ file: string; low: number; high: number; count: number }>(
    `select split_part(id, '-', 1) as file, min(version)::int as low, max(version)::int as high,
       count(*)::int as count from entities.item group by 1`,
  )
  for (const { low, high, count } of files) {
    expect({ high, count }).toEqual({ high: low, count: RECORDS_A_FILE })
    expect([version - 1, version]).toContain(low)
  }
  const data = files.filter(({ low }) => low === version).map(({ file }) => `Item/${file}.json`)
  const [registered] = await sql<{ isIn: boolean; isKnown: boolean }>(
    `select exists (select from pg_attribute where attrelid = 'entities.item'::regclass
         and attname = 'v${version}') as "isIn",
       exists (select from engine.entities e, jsonb_array_elements(e.columns) c
         where e.name = 'Item' and c ->> 'name' = 'v${version}') as "isKnown"`,
  )
  expect(registered?.isIn).toBe(registered?.isKnown)
  return [...data, ...(registered?.isIn ? ['EngineSchemas/Item.json'] : [])].sort()
}

describe('a process that is killed', () => {
  test(`during an install, ${KILLS} times, leaves whole files and an ended history`, async () => {
    for (let version = 2; version < KILLS + 2; version++) {
      const command = await installOf(version)
      const hasResponded = await engine.killDuring(command, Math.random() * installMs * 1.2)
      await restart()
      expect(await sql(`select 1 from engine.installs where status = 'IN_PROGRESS'`)).toEqual([])
      const history = await historyOf(version)
      // The entities' file says the same in each version.
      const counted = (await installedFiles(version)).filter((path) => !/Entities/.test(path))
      expect(await presentFiles(version)).toEqual(counted)
      if (history) {
        const { ok, bad, total, status, errors } = history
        expect(ok + bad).toBe(total)
        expect(status).toBe(bad === 0 ? 'SUCCESS' : ok === 0 ? 'FAILED' : 'PARTIAL')
        if (bad > 0) expect(errors).toEqual([expect.stringMatching(/stopped before its end/)])
        if (version % 2 === 0) expect([0, total]).toContain(ok)
      }
      if (hasResponded) expect(history?.status).toBe('SUCCESS')

      await engine.ask(command)
      expect(await historyOf(version)).toMatchObject({ status: 'SUCCESS', bad: 0, errors: [] })
      expect(await presentFiles(version)).toHaveLength(DATA_FILES + 1)
    }
  }, 600_000)

  test(`during a batch delete, ${KILLS} times, has deleted all that match or nothing`, async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      await seed()
      const before = await deletions()
      const isAll = kill % 3 === 0
      const command = isAll ? DELETE_ALL : DELETE_HALF
      const hasResponded = await engine.killDuring(command, Math.random() * deleteMs * 1.5)
      await restart()
      const [left] = await sql<{ count: number }>('select count(*)::int from entities.mass')
      const isDone = left?.count !== MASS
      if (isDone) expect(left?.count).toBe(isAll ? 0 : MASS / 2)
      expect((await deletions()) - before).toBe(isDone ? 1 : 0)
      if (hasResponded) expect(isDone).toBe(true)
    }
  }, 600_000)
})

const MASS = 40_000
const DELETE_ALL: Command = { name: 'delete', entity: 'Mass' }
const DELETE_HALF: Command = {
  name: 'delete',
  entity: 'Mass',
  query: [{ field: 'id', operator: 'gt', value: MASS / 2 }],
}

const seed = () =>
  sql(`with gone as (delete from entities.mass where id > ${MASS})
    insert into entities.mass (id) select generate_series(1, ${MASS}) on conflict do nothing`)

/** How many batch deletes the audit log has. */
async function deletions(): Promise<number> {
  const [found] = await sql<{ count: number }>(
    `select count(*)::int from engine.audit_log where action = 'records.delete'`,
  )
  return found?.count ?? 0
}
