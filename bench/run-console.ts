/** `npm run bench:console`: `bench/console.ts` on a PostgreSQL of its own. */
import { spawnSync } from 'node:child_process'
import { startThrowawayPostgres } from '../scripts/steps/throwaway-postgres.mjs'

const argument = process.env.BENCH_DATABASE_URL
const server = argument ? null : await startThrowawayPostgres()
const url = argument ?? server?.url
if (!url)
  throw new Error('No PostgreSQL server binaries found; name a server in BENCH_DATABASE_URL')
const args = ['--import', 'tsx', 'bench/console.ts']
const env = { ...process.env, BENCH_DATABASE_URL: url }
const { status } = spawnSync(process.execPath, args, { env, stdio: 'inherit' })
server?.stop()
process.exitCode = status ?? 1
