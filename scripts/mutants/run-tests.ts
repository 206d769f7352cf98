import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'

/** `failed`: the first test that failed, or the file that could not be run. */
export type TestRun =
  | { outcome: 'passed' }
  | { outcome: 'failed'; file: string; test: string }
  | { outcome: 'timed out' }

type Report = {
  numTotalTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string }[]
  }[]
}

/** Runs the test files whose paths contain one of `paths`, on the embedded database, until the first fails. */
export async function runTests(
  folder: string,
  paths: readonly string[],
  limitMs: number,
): Promise<TestRun> {
  const file = join(folder, 'node_modules/mutants-report.json')
  rmSync(file, { force: true })
  const isInTime = await runVitest(folder, [...paths, `--outputFile=${file}`], limitMs)
  if (!isInTime) return { outcome: 'timed out' }
  if (!existsSync(file)) return { outcome: 'failed', file: paths.join(', '), test: 'the run ended' }
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report
  if (report.testResults.length === 0) throw new Error(`There is no test in ${paths.join(', ')}`)
  for (const { name, status, assertionResults } of report.testResults) {
    const failed = assertionResults.find((one) => one.status === 'failed')
    if (failed || status === 'failed')
      return {
        outcome: 'failed',
        file: relative(folder, name),
        test: failed?.fullName ?? 'the file itself',
      }
  }
  return { outcome: 'passed' }
}

const running = new Set<() => void>()
process.once('exit', () => {
  for (const end of running) end()
})

/** False when it was ended because it took longer. */
function runVitest(folder: string, args: string[], limitMs: number): Promise<boolean> {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--maxWorkers=1']
  const { TEST_DATABASE_URL: _, ...env } = process.env
  const child = spawn(process.execPath, [...vitest, '--reporter=json', ...args], {
    cwd: folder,
    env: { ...env, FAST: '1' },
    stdio: 'ignore',
    detached: true, // a group of its own, with the workers
  })
  return new Promise((resolve, reject) => {
    let isInTime = true
    const end = () => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL')
      } catch {
        // All of them have ended.
      }
    }
    const timer = setTimeout(() => {
      isInTime = false
      end()
    }, limitMs)
    running.add(end)
    child.once('error', reject)
    child.once('close', () => {
      clearTimeout(timer)
      running.delete(end)
      resolve(isInTime)
    })
  })
}
