import { readFileSync } from 'node:fs'

/**
 * Results of all runners: tests, and steps such as the build, which count as one each.
 */
export class Tally {
  passed = 0
  failed = 0
  /** Names of the failures, and of what could not be run. */
  failures = []
  notRun = []
  /** Names of tests that passed only when they were tried again. */
  unstable = []

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
    this.unstable.push(...(counts?.unstable ?? []))
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

/**
 * Counts of Playwright's JSON report. A test that passed when tried again has passed, and is named:
 * a busy machine can make a browser late, but a frequent failure is a defect.
 */
export function readPlaywrightReport(file) {
  const report = readJson(file)
  if (!report) return null
  const { expected, unexpected, flaky } = report.stats
  const unstable = report.suites.flatMap(specsOf).filter(({ tests }) => tests.some(isFlaky))
  return {
    passed: expected + flaky,
    failed: unexpected,
    unstable: unstable.map(({ file: spec, title }) => `${spec} › ${title}`),
  }
}

const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)]
const isFlaky = ({ status }) => status === 'flaky'

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}
