/**
 * `npm run rolling -- --from v1.0.0`: two servers of an earlier version are replaced by this one and back, one after the other, under
 * load. Without `--from` it is the latest release before this commit. See `bench/README.md`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { buildIfStale } from '../scripts/steps/build.mjs'
import { gitText } from '../scripts/steps/git-text.mjs'
import { ROOT } from '../scripts/steps/run.mjs'
import { startThrowawayPostgres } from '../scripts/steps/throwaway-postgres.mjs'
import { buildVersion, earlierVersion } from './torture/built-version'
import { recordLines } from './torture/report'
import { measureRolling } from './torture/under-replacement'

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    /** Where the earlier version is built, and stays for the next time. */
    folder: { type: 'string' },
    seconds: { type: 'string', default: '10' },
  },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const temporary = mkdtempSync(join(tmpdir(), 'engine-rolling-'))
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }))

const from = earlierVersion(values.from)
const older = values.folder ?? join(temporary, 'older')
await buildVersion(from, older)
await buildIfStale()
const database = await startThrowawayPostgres()
if (!database) throw new Error('No PostgreSQL server binaries were found')
const sql = postgres(database.url, { max: 1, onnotice: () => {} })
const setting = { url: database.url, folder: temporary, phaseMs: Number(values.seconds) * 1000 }
const lines = await measureRolling(setting, { folder: older }, { folder: ROOT })
const commit = (ref: string) => gitText(ROOT, 'rev-parse', '--short', ref)
const about = `from ${from} (${commit(`${from}^{commit}`)}) to ${commit('HEAD')}`
const isGood = await recordLines('rolling', lines, sql, [about])
await sql.end()
database.stop()
process.exit(isGood ? 0 : 1)
