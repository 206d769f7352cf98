/**
 * `npm run bench:cluster`: an entity with millions of records on plain PostgreSQL and distributed over a Citus cluster,
 * over HTTP, in the production server. See `bench/README.md`.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { buildIfStale } from '../scripts/steps/build.mjs'
import { startThrowawayPostgres } from '../scripts/steps/throwaway-postgres.mjs'
import { RECORDS_AN_ARCHIVE, uploadOfFile, writeReadings } from './cluster/archives'
import { rebalance } from './cluster/rebalance'
import { deepCursor, measureShape, shapesOf } from './cluster/shapes'
import { residentMib } from './http/cpu'
import { machine } from './http/report'
import { type Server, startEngine } from './http/servers'
import { send } from './million/send'

const RECORDS = Number(process.env.BENCH_RECORDS ?? 5_000_000)
/** The coordinator of a cluster with two workers, an empty database. */
const CITUS_URL = process.env.CITUS_URL
/** Host and port of a server that becomes the third worker. */
const CITUS_SPARE = process.env.CITUS_SPARE
const MAX_MIB = 1024
const POLL_MS = 200

const SETTINGS = {
  MAX_ENTRY_BYTES: String(512 * 1024 * 1024),
  MAX_UNPACKED_BYTES: String(512 * 1024 * 1024),
  MAX_ZIP_BYTES: String(256 * 1024 * 1024),
  WRITE_TIMEOUT_MS: '3600000',
}

if (process.argv[2] === 'write') {
  const [, , , path = '', from, count] = process.argv
  await writeReadings(path, Number(from), Number(count))
  process.exit(0)
}
if (!CITUS_URL || !CITUS_SPARE)
  throw new Error(
    'Set CITUS_URL to the coordinator of a Citus cluster (an empty database), and CITUS_SPARE to host:port of a further worker',
  )
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await buildIfStale()
Object.assign(process.env, SETTINGS)
const folder = mkdtempSync(join(tmpdir(), 'engine-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const paths = writeArchives()
const plain = await startThrowawayPostgres()
if (!plain) throw new Error('No PostgreSQL server binaries were found')
const onPlain = await measure(plain.url)
plain.stop()
const spare = new URL(`postgres://${CITUS_SPARE}`)
const onCluster = await measure(CITUS_URL, { host: spare.hostname, port: Number(spare.port) })
report()

type Measured = {
  machine: string
  seconds: number
  /** Peak of the server's resident memory during the installs. */
  mib: number
  times: Map<string, number>
  rebalanced: Awaited<ReturnType<typeof rebalance>> | null
}

/** Each in a process of its own, which gives its memory back. */
function writeArchives(): string[] {
  const written: string[] = []
  for (let from = 0; from < RECORDS; from += RECORDS_AN_ARCHIVE) {
    const path = join(folder, `${written.length}.zip`)
    const count = Math.min(RECORDS_AN_ARCHIVE, RECORDS - from)
    const args = ['write', path, String(from), String(count)]
    const script = [...process.execArgv, fileURLToPath(import.meta.url)]
    const { status } = spawnSync(process.execPath, [...script, ...args], { stdio: 'inherit' })
    if (status !== 0) throw new Error('An archive could not be written')
    written.push(path)
  }
  return written
}

async function measure(
  url: string,
  worker: { host: string; port: number } | null = null,
): Promise<Measured> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const server = await startEngine(url, join(folder, new URL(url).port))
  try {
    const { seconds, mib } = await install(server)
    const counted = JSON.parse(
      await send(server.url, { method: 'GET', path: '/api/entities/Reading/count' }),
    )
    if (counted.data[0].count !== RECORDS) throw new Error(JSON.stringify(counted))
    await sql`analyze entities.reading`
    const times = new Map<string, number>()
    for (const shape of shapesOf(RECORDS, await deepCursor(server.url))) {
      times.set(shape.title, await measureShape(server.url, shape))
      process.stdout.write(`${shape.title}: ${times.get(shape.title)?.toFixed(1)} ms\n`)
    }
    const rebalanced = worker && (await rebalance(server.url, sql, worker, RECORDS))
    return { machine: await machine(sql), seconds, mib, times, rebalanced }
  } finally {
    await server.stop()
    await sql.end()
  }
}

async function install({ url, pid }: Server): Promise<{ seconds: number; mib: number }> {
  let mib = 0
  const timer = setInterval(() => {
    mib = Math.max(mib, residentMib(pid) ?? 0)
  }, POLL_MS)
  let seconds = 0
  for (const path of paths) {
    const upload = await uploadOfFile(path)
    const startedAt = performance.now()
    const { data } = JSON.parse(await send(url, { ...upload, path: '/api/plugins/install/zip' }))
    seconds += (performance.now() - startedAt) / 1000
    if (data.failedCount !== 0) throw new Error(JSON.stringify(data).slice(0, 2000))
  }
  clearInterval(timer)
  process.stdout.write(`Installed in ${seconds.toFixed(1)} s, at most ${mib.toFixed(0)} MiB\n`)
  return { seconds, mib }
}

function report(): void {
  const { rebalanced } = onCluster
  const row = (title: string, one: number, other: number, digits = 1) =>
    `| ${title} | ${one.toFixed(digits)} | ${other.toFixed(digits)} | ${(one / other).toFixed(2)} |`
  const lines = [
    '# Millions of records, plain and distributed',
    '',
    'How to read it: [README.md](README.md). A coordinator, its workers, the plain server and the load share one machine, so this shows',
    'what distribution costs, not what more machines bring. Measured on',
    onCluster.machine,
    '',
    `| ${RECORDS.toLocaleString('en')} records | plain PostgreSQL | two workers | plain / distributed |`,
    '|---|---|---|---|',
    row('install, s', onPlain.seconds, onCluster.seconds),
    row('server during the installs, MiB', onPlain.mib, onCluster.mib, 0),
    ...[...onPlain.times].map(([title, time]) =>
      row(`${title}, ms`, time, onCluster.times.get(title) ?? Number.NaN),
    ),
  ]
  if (rebalanced) {
    const { seconds, shards, created, read, p50, p95, longest, lost } = rebalanced
    lines.push(
      '',
      `A third worker was added and shards were moved in ${seconds.toFixed(1)} s (afterwards ${shards.join(', ')} shards a node) while ${created.toLocaleString('en')} records`,
      `were created and ${read.toLocaleString('en')} read, without a failed request: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, longest ${longest.toFixed(0)} ms. Lost: ${lost}.`,
    )
    if (lost > 0 || shards.length < 3) process.exitCode = 1
  }
  if (Math.max(onPlain.mib, onCluster.mib) > MAX_MIB) process.exitCode = 1
  const text = `${lines.join('\n')}\n`
  process.stdout.write(text)
  if (!process.env.BENCH_DRAFT) writeFileSync('bench/cluster.md', text)
}
