import { readFileSync } from 'node:fs'

/**
 * What came of all runners: tests, and steps such as the build, which count as one each.
 */
export class Tally {
  passed = 0
  failed = 0
  /** Names of what failed, and of what could not be run. */
  failures = []
  notRun = []

  step(name, code) {
    if (code === 0) this.passed++
    else this.fail(name)
    return code === 0
  }

  fail(name) {
    this.failed++
    this.failures.push(name)
  }

  skip(name, reason) {
    this.notRun.push(`${name}: ${reason}`)
    process.stdout.write(`\n${'!'.repeat(80)}\nNOT RUN: ${name}: ${reason}\n${'!'.repeat(80)}\n`)
  }

  /** Adds a runner's own counts. One that failed without naming a test counts as one failure. */
  runner(name, code, counts) {
    this.passed += counts?.passed ?? 0
    this.failed += counts?.failed ?? 0
    if (counts?.failed) this.failures.push(`${name} (${counts.failed})`)
    else if (code !== 0 || !counts) this.fail(name)
  }
}

/** Counts of vitest's JSON report; a file that could not even be loaded counts as one failure. */
export function readVitestReport(file) {
  const report = readJson(file)
  if (!report) return null
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length }
}

/** Counts of Playwright's JSON report; a test that passed only when tried again has failed. */
export function readPlaywrightReport(file) {
  const report = readJson(file)
  if (!report) return null
  const { expected, unexpected, flaky } = report.stats
  return { passed: expected, failed: unexpected + flaky }
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}
