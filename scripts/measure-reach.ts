/**
 * `npm run measure:reach`: which tests run on a second database. All of them run on PostgreSQL, one after the other, and each
 * says which blocks it ran. Writes `scripts/steps/second-database.json`: for the embedded database and for a Citus cluster
 * the cheapest tests that together reach the same blocks of modules with SQL. To be run when tests were added or moved.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseTests } from './reach/choose-tests'
import type { Reach } from './reach/record'
import { aboutClusters, ofCluster } from './steps/citus-tests.mjs'
import { aboutDialects, databaseTests } from './steps/database-tests.mjs'
import { bin, ROOT, run } from './steps/run.mjs'
import { startThrowawayPostgres } from './steps/throwaway-postgres.mjs'

const RESULT = join(ROOT, 'scripts/steps/second-database.json')
const HAS_SQL = /\bsql`|\bsql\.(raw|join|identifier)|\.query\(/

const server = await startThrowawayPostgres()
if (!server) throw new Error('No PostgreSQL server binaries were found')
const folder = mkdtempSync(join(tmpdir(), 'engine-reach-'))
const all = await readReach(join(folder, 'reach'))
const cluster = new Set(ofCluster())
const choices = {
  embedded: choose(all, new Set(aboutDialects())),
  citus: choose(
    all.filter(({ test }) => cluster.has(test)),
    new Set(aboutClusters()),
  ),
}
writeFileSync(RESULT, `${JSON.stringify(choices, null, 2)}\n`)
rmSync(folder, { recursive: true })
process.exit(0)

async function readReach(file: string): Promise<Reach[]> {
  const tests = databaseTests().filter((test) => !test.includes('.slow.'))
  const env = { FAST: '1', TEST_DATABASE_URL: server?.url, REACH_FILE: file }
  const code = await run(process.execPath, [bin('vitest/vitest.mjs'), 'run', ...tests], { env })
  if (code !== 0) throw new Error('Tests failed: what they reach is not known')
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Reach)
}

function choose(reach: readonly Reach[], fixed: ReadonlySet<string>): string[] {
  const isMeant = (module: string) => HAS_SQL.test(readFileSync(join(ROOT, module), 'utf8'))
  const { chosen, blocks, reached, seconds } = chooseTests(reach, fixed, isMeant)
  process.stdout.write(
    `${chosen.length} of ${reach.length} tests, ${seconds} s of a processor, reach with ${fixed.size} others ${reached} of ${blocks} blocks\n`,
  )
  return chosen
}
