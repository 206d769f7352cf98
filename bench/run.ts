/**
 * `npm run bench`: how the engine compares with plain statements that do the same in the database,
 * measured in the same run, on PostgreSQL and on the embedded database.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startThrowawayPostgres } from '../scripts/steps/throwaway-postgres.mjs'

type Pair = { engine: number; bare: number }
type Result = { dialect: string; inserts: Pair; deletions: Pair; peakMiB: number }

/** Of PostgreSQL; the embedded database is for development, its figures are for information. */
const GOALS = { install: 0.5, delete: 0.8, peakMiB: 1024 }

const SETTINGS = {
  LOG_LEVEL: 'warn',
  NEXTAUTH_SECRET: 'a secret for measurements, 32 characters',
  ADMIN_EMAIL: 'bench@example.com',
  ADMIN_PASSWORD: 'correct horse battery',
  BOOTSTRAP_API_KEY: 'eng_for_measurements_only_0123456789abcdef',
}

const server = await startThrowawayPostgres({ durable: true })
if (server) {
  report('PostgreSQL', measure({ DATABASE_URL: server.url }))
  measureExport(server.url)
  server.stop()
} else {
  process.stdout.write('PostgreSQL: not measured, no server binaries found\n')
}
report('PGlite', measure({ DATABASE_URL: '' }))

function measure(env: Record<string, string>): Result {
  const folder = mkdtempSync(join(tmpdir(), 'engine-bench-'))
  const args = ['--import', 'tsx', 'bench/measure.ts']
  const { stdout, status } = spawnSync(process.execPath, args, {
    env: { ...process.env, ...SETTINGS, ...env, DATA_DIR: folder },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  rmSync(folder, { recursive: true, force: true })
  if (status !== 0) throw new Error('The measurement failed')
  return JSON.parse(stdout)
}

/** Prints its own lines; the whole benchmark fails when a goal is missed. */
function measureExport(url: string): void {
  const args = ['--import', 'tsx', 'bench/export.ts']
  const env = { ...process.env, BENCH_DATABASE_URL: url }
  const { status } = spawnSync(process.execPath, args, { env, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}

function report(name: string, { inserts, deletions, peakMiB }: Result): void {
  line(`${name}: install 100,000 records in one file`, inserts, `at least ${GOALS.install}`)
  line(`${name}: delete 50,000 of 100,000 records`, deletions, `at least ${GOALS.delete}`)
  process.stdout.write(`${name}: peak memory ${peakMiB} MiB (goal: under ${GOALS.peakMiB})\n`)
}

function line(what: string, { engine, bare }: Pair, goal: string): void {
  const ratio = (bare / engine).toFixed(2)
  const times = `${Math.round(engine)} ms, bare SQL ${Math.round(bare)} ms`
  process.stdout.write(`${what}: ${ratio} of bare SQL (goal: ${goal}; ${times})\n`)
}
