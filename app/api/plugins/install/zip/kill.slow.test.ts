import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { testsOnPostgres } from '@/lib/testing/deps'
import { killRounds } from '@/lib/testing/kills'
import type { Command } from '../../testing/engine-child'
import { KillableEngine } from '../../testing/killable-engine'

const KILLS = killRounds(3, testsOnPostgres() ? 30 : 100)
const DATA_FILES = 6
const RECORDS_A_FILE = 400

/** How long it takes when it is not killed, in a warm process. */
let installMs = 0

const engine = new KillableEngine('install', async () => {
  await engine.succeed(await installOf(0))
  const startedAt = performance.now()
  await engine.succeed(await installOf(1))
  installMs = performance.now() - startedAt
  await engine.kill()
  await engine.restart()
})

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
  const files = pluginFiles(
    {
      EngineSchemas: {
        files: { 'Item.json': { name: 'Item', properties: [...properties, ...columns] } },
      },
      EngineEntities: {
        files: { 'Item.json': { name: 'Item', pks: ids, insertDuplicate: 'Upsert' } },
      },
      Item: { files: Object.fromEntries(data) },
    },
    { version: String(version) },
  )
  return engine.installOf(files, `?mode=${version % 2 === 0 ? 'atomic' : 'partial'}`)
}

type History = { status: string; errors: string[]; ok: number; bad: number; total: number }

/** The history of the newest install of a version; undefined when it never came so far. */
async function historyOf(version: number): Promise<History | undefined> {
  const [found] = await engine.sql<History>(
    `select status, errors, success_count as ok, failed_count as bad, total_files as total
     from engine.installs where version = '${version}' order by started_at desc limit 1`,
  )
  return found
}

/** Paths of the files that the newest install of a version says it has installed. */
async function installedFiles(version: number): Promise<string[]> {
  const found = await engine.sql<{ path: string }>(
    `select path from engine.install_files where status <> 'failed' and install_id =
       (select id from engine.installs where version = '${version}' order by started_at desc limit 1)`,
  )
  return found.map(({ path }) => path).sort()
}

/** What is really there of a version, as the paths of its files; throws for half a file. */
async function presentFiles(version: number): Promise<string[]> {
  const files = await engine.sql<{ file: string; low: number; high: number; count: number }>(
    `select split_part(id, '-', 1) as file, min(version)::int as low, max(version)::int as high,
       count(*)::int as count from entities.item group by 1`,
  )
  for (const { low, high, count } of files) {
    expect({ high, count }).toEqual({ high: low, count: RECORDS_A_FILE })
    expect([version - 1, version]).toContain(low)
  }
  const data = files.filter(({ low }) => low === version).map(({ file }) => `Item/${file}.json`)
  const [registered] = await engine.sql<{ isIn: boolean; isKnown: boolean }>(
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
      const hasSucceeded = await engine.killDuring(command, installMs * 1.2)
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
      if (hasSucceeded) expect(history?.status).toBe('SUCCESS')

      await engine.succeed(command)
      expect(await historyOf(version)).toMatchObject({ status: 'SUCCESS', bad: 0, errors: [] })
      expect(await presentFiles(version)).toHaveLength(DATA_FILES + 1)
    }
  }, 3_600_000)
})
