import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Line } from './report'

type Report = {
  testResults: { message: string; name: string; assertionResults: Test[] }[]
}
type Test = { title: string; status: string; duration?: number; failureMessages: string[] }

/** Names of test files that kill; on a cluster those that write records, which are on its nodes. */
const ALL = ['kill']
const ON_CLUSTER = [
  'batch/create-kill',
  'batch/edit-kill',
  'batch/delete-kill',
  'imports/import-kill',
  'install/zip/kill',
  'rollback/kill',
  'uninstall-kill',
  'ready/killed-worker',
]

/** The tests that kill at random moments, with a line each. `url`: of a server for tests; none is the embedded database. */
export function runKills(url: string, rounds: string, isCluster = false): Line[] {
  const env = { ...process.env, TEST_DATABASE_URL: url, KILL_ROUNDS: rounds }
  return runTests(env, isCluster ? ON_CLUSTER : ALL)
}

/** Runs tests of the suite, with a line each. */
export function runTests(env: NodeJS.ProcessEnv, files: string[]): Line[] {
  const folder = mkdtempSync(join(tmpdir(), 'engine-torture-tests-'))
  const file = join(folder, 'report.json')
  const args = ['vitest', 'run', ...files, '--silent', '--reporter=json', `--outputFile=${file}`]
  try {
    spawnSync('npx', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report
    return testResults.flatMap(({ assertionResults, message, name }) =>
      assertionResults.length > 0
        ? assertionResults.flatMap(lineOf)
        : [{ title: name, result: message || 'without a result', isGood: false }],
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Nothing for a test that means nothing on this database. */
function lineOf({ title, status, duration, failureMessages }: Test): Line[] {
  if (status === 'pending' || status === 'skipped') return []
  const isGood = status === 'passed'
  const why = isGood ? '' : `: ${failureMessages[0]?.split('\n')[0]}`
  return [{ title, result: `${status} in ${Math.round((duration ?? 0) / 1000)} s${why}`, isGood }]
}
