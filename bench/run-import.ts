/**
 * `npm run bench:import`: a million rows of CSV become records, over HTTP, in the production server on a PostgreSQL of its own. See
 * `bench/README.md`.
 */
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import postgres from 'postgres'
import { archiveOf, pluginFiles } from '@/lib/testing/archive'
import { buildIfStale } from '../scripts/steps/build.mjs'
import { startThrowawayPostgres } from '../scripts/steps/throwaway-postgres.mjs'
import { machine } from './http/report'
import { type Server, startEngine } from './http/servers'
import { archiveUpload } from './http/write-cases'
import { cancelInMidst, importFile } from './import/import-requests'
import { ENTITY, FIELDS, SCHEMA, writePeople } from './import/people-file'
import { send } from './million/send'
import { watched } from './million/watch'

const ROWS = Number(process.env.BENCH_RECORDS ?? 1_000_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const MIN_ROWS_A_SECOND = 20_000
const MAX_MIB = 1024
const MAX_CANCEL_MS = 2_000

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await buildIfStale()
const database = await startThrowawayPostgres()
if (!database) throw new Error('No PostgreSQL server binaries were found')
const folder = mkdtempSync(join(tmpdir(), 'engine-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const sql = postgres(database.url, { max: 1, onnotice: () => {} })
const lines: string[] = []
const print = (line: string) => {
  lines.push(line)
  process.stdout.write(`${line}\n`)
}
let server: Server | null = null
try {
  server = await startEngine(database.url, folder)
  await measure(server, database.pid, join(folder, 'people.csv'))
} finally {
  await server?.stop()
  await sql.end()
  database.stop()
}

async function measure({ url, pid }: Server, databasePid: number, path: string): Promise<void> {
  await writePeople(path, ROWS)
  await install(url)
  const mib = statSync(path).size / 1024 / 1024
  print(
    `${ROWS.toLocaleString('en')} rows of 8 columns, ${mib.toFixed(0)} MiB, ${await machine(sql)}\n`,
  )
  print(
    '| round | import s | rows/s | COPY s | ratio | server MiB | server CPU s | database CPU s |',
  )
  print('|---|---|---|---|---|---|---|---|')
  const rates: number[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    await sql.unsafe('truncate entities.member, bench.bare')
    const copy = await timed(() => copyFile(path))
    const used = await watched({ server: pid, database: databasePid }, sql, async () => {
      const { created } = await importFile(url, path)
      if (created !== ROWS) throw new Error(`${created} records were created`)
    })
    rates.push(ROWS / used.seconds)
    if (used.serverMiB > MAX_MIB) process.exitCode = 1
    const figures = [
      ...[used.seconds.toFixed(1), Math.round(ROWS / used.seconds).toLocaleString('en')],
      ...[copy.toFixed(1), (used.seconds / copy).toFixed(1), Math.round(used.serverMiB)],
      ...[used.serverCpu.toFixed(1), used.databaseCpu.toFixed(1)],
    ]
    print(`| ${[round, ...figures].join(' | ')} |`)
  }
  if (Math.max(...rates) < MIN_ROWS_A_SECOND) process.exitCode = 1
  await sql.unsafe('truncate entities.member')
  const cancels = []
  for (let round = 0; round < ROUNDS; round++)
    cancels.push(Math.round(await cancelInMidst(url, path, ROWS / 5)))
  const [left] = await sql<{ n: number }[]>`select count(*)::int as n from entities.member`
  if (left?.n !== 0 || Math.max(...cancels) > MAX_CANCEL_MS) process.exitCode = 1
  print(
    `\nCancelled in its midst: ended after ${cancels.join(', ')} ms (goal: at most 2,000); nothing is stored.`,
  )
  print(
    `Goals: ${MIN_ROWS_A_SECOND.toLocaleString('en')} rows/s in the best round, ${MAX_MIB} MiB.`,
  )
  if (ROWS >= 1_000_000 && !process.env.BENCH_DRAFT)
    writeFileSync(
      'bench/import.md',
      `# A million rows of CSV\n\nHow to read it: [README.md](README.md).\n\n${lines.join('\n')}\n`,
    )
}

async function install(url: string): Promise<void> {
  const files = pluginFiles({
    EngineEntities: { files: { 'Member.json': ENTITY } },
    EngineSchemas: { files: { 'Member.json': SCHEMA } },
  })
  const upload = await archiveUpload(await archiveOf(files))
  await send(url, { ...upload, path: '/api/plugins/install/zip' })
  await sql`create schema bench`
  await sql.unsafe('create table bench.bare (like entities.member including all)')
}

/** What the database needs for the same file, without checks. */
async function copyFile(path: string): Promise<void> {
  const target = await sql
    .unsafe(`copy bench.bare (${FIELDS}) from stdin (format csv, header)`)
    .writable()
  await pipeline(createReadStream(path), target)
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}
