/**
 * `npm run bench:million`: the life of a plugin with a million records, over HTTP, in the production
 * server on a PostgreSQL of its own. See `bench/README.md`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { buildIfStale } from '../scripts/steps/build.mjs'
import { startThrowawayPostgres } from '../scripts/steps/throwaway-postgres.mjs'
import { machine } from './http/report'
import { type Server, startEngine } from './http/servers'
import { archiveUpload } from './http/write-cases'
import { type Version, writeVersion } from './million/archives'
import { measureFloor } from './million/floor'
import { beginSearching } from './million/searching'
import { send } from './million/send'
import { type Used, watched } from './million/watch'

const RECORDS = Number(process.env.BENCH_RECORDS ?? 1_000_000)
const MAX_MIB = 1024
/** Of the install of records without keys, in a server that has just started. */
const MAX_KEYLESS_MIB = 600
const MAX_P95_MS = 200
const MAX_UPGRADE = 2

/** A million readings are 196 MB, and trying them takes longer than a dry run may by default. */
const SETTINGS = {
  MAX_ENTRY_BYTES: String(512 * 1024 * 1024),
  MAX_UNPACKED_BYTES: String(512 * 1024 * 1024),
  DRY_RUN_TIMEOUT_MS: '3600000',
  WRITE_TIMEOUT_MS: '3600000',
  MAX_ZIP_BYTES: String(256 * 1024 * 1024),
}

const HEAD =
  '| step | s | server CPU s | database CPU s | server MiB | largest backend MiB | temporary files MiB | searches p50, p95 ms |\n|---|---|---|---|---|---|---|---|'

if (process.argv[2] === 'write') {
  const [, , , path = '', version] = process.argv
  await writeVersion(path, Number(version) as Version, RECORDS)
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await buildIfStale()
const database = await startThrowawayPostgres()
if (!database) throw new Error('No PostgreSQL server binaries were found')
const folder = mkdtempSync(join(tmpdir(), 'engine-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const sql = postgres(database.url, { max: 1, onnotice: () => {} })
Object.assign(process.env, SETTINGS)
let server: Server | null = null
try {
  if (process.argv.includes('--keyless')) {
    const path = join(folder, '3')
    write(path, 3)
    server = await startEngine(database.url, folder)
    await measureKeyless(server, database.pid, path)
  } else {
    const [first, second] = [join(folder, '1'), join(folder, '2')]
    write(first, 1)
    write(second, 2)
    server = await startEngine(database.url, folder)
    await measure(server, database.pid, { first, second })
  }
} finally {
  await server?.stop()
  await sql.end()
  database.stop()
}

/** In a process of its own, which gives its memory back. */
function write(path: string, version: Version): void {
  const args = [...process.execArgv, fileURLToPath(import.meta.url), 'write', path, String(version)]
  if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0)
    throw new Error('The archive could not be written')
}

async function measureKeyless({ url, pid }: Server, databasePid: number, path: string) {
  const upload = await archiveUpload(readFileSync(`${path}.zip`))
  const used = await watched({ server: pid, database: databasePid }, sql, async () => {
    const text = await send(url, upload)
    if (JSON.parse(text).data.failedCount !== 0) throw new Error(text.slice(0, 2000))
  })
  const isMissed = used.serverMiB > MAX_KEYLESS_MIB
  if (isMissed) process.exitCode = 1
  process.stdout.write(
    `${RECORDS.toLocaleString('en')} records without keys, ${await machine(sql)}\n\n`,
  )
  process.stdout.write(`${HEAD}\n${lineOf('install', used, Number.NaN, Number.NaN)}\n`)
  process.stdout.write(`Goal: at most ${MAX_KEYLESS_MIB} MiB${isMissed ? ', missed' : ''}\n`)
}

async function measure(
  { url, pid }: Server,
  databasePid: number,
  paths: { first: string; second: string },
) {
  const lines: string[] = []
  const print = (line: string) => {
    lines.push(line)
    process.stdout.write(`${line}\n`)
  }
  print(`${RECORDS.toLocaleString('en')} records, ${await machine(sql)}\n`)
  print(HEAD)
  const step = async (title: string, path: string, archive?: string) => {
    const upload = archive
      ? await archiveUpload(readFileSync(`${archive}.zip`))
      : ({ method: 'POST' } as const)
    const stopSearching = beginSearching(url)
    const used = await watched({ server: pid, database: databasePid }, sql, async () => {
      const text = await send(url, { ...upload, path })
      if ((JSON.parse(text).data.failedCount ?? 0) !== 0) throw new Error(text.slice(0, 2000))
    }).catch(async (error) => {
      await stopSearching().catch(() => {})
      throw error
    })
    const { p50, p95 } = await stopSearching()
    const isMissed = used.serverMiB > MAX_MIB || p95 > MAX_P95_MS
    if (isMissed) process.exitCode = 1
    print(lineOf(title, used, p50, p95))
    return used
  }
  const install = '/api/plugins/install/zip'
  await step('plan the install', `${install}?dryRun=true`, paths.first)
  const installed = await step('install', install, paths.first)
  await step('plan the upgrade', `${install}?dryRun=true`, paths.second)
  const page = `&detail=records&file=Reading/data.json&size=100`
  await step(
    'plan the upgrade, with a page of records',
    `${install}?dryRun=true${page}`,
    paths.second,
  )
  const upgrade = await step('upgrade, 1 % changed', install, paths.second)
  const [latest] = await sql<{ id: number }[]>`select max(id)::int as id from engine.installs`
  const rollback = `/api/plugins/history/${latest?.id}/rollback`
  await step('plan the rollback', `${rollback}?dryRun=true`)
  await step('roll back', rollback)
  const floor = await measureFloor(sql, {
    first: `${paths.first}.json`,
    second: `${paths.second}.json`,
  })
  print(
    `\nInstalled ${Math.round(RECORDS / installed.seconds).toLocaleString('en')} records/s, upload included.`,
  )
  print(
    `In SQL: reading the second file as JSON into a table ${floor.read.toFixed(1)} s; comparing it with the first and writing what differs ${floor.compare.toFixed(1)} s.`,
  )
  const total = floor.read + floor.compare
  const ratio = upgrade.seconds / total
  if (ratio > MAX_UPGRADE) process.exitCode = 1
  print(
    `The upgrade took ${ratio.toFixed(2)} times as long as both (goal: at most ${MAX_UPGRADE}), ${(upgrade.seconds / floor.compare).toFixed(1)} times as long as the comparison alone.`,
  )
  if (RECORDS >= 1_000_000 && !process.env.BENCH_DRAFT)
    writeFileSync(
      'bench/million.md',
      `# A plugin with a million records\n\nHow to read it: [README.md](README.md).\n\n${lines.join('\n')}\n`,
    )
}

function lineOf(title: string, used: Used, p50: number, p95: number): string {
  const { seconds, serverCpu, databaseCpu, serverMiB, backendMiB, temporaryMiB } = used
  const figures = [
    seconds.toFixed(1),
    serverCpu.toFixed(1),
    databaseCpu.toFixed(1),
    ...[serverMiB, backendMiB, temporaryMiB].map(Math.round),
    `${Math.round(p50)}, ${Math.round(p95)}`,
  ]
  return `| ${[title, ...figures].join(' | ')} |`
}
