import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT } from './run.mjs'

/**
 * Results of all runners: tests, and steps such as the build, which count as one each.
 */
export class Tally {
  passed = 0
  failed = 0
  /** Names of the failures, and of what could not be run. */
  failures = []
  notRun = []
  left = []
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

  /** As `skip`, where nobody can be asked to make it run: it is no failure on CI either. */
  leave(name, reason) {
    this.left.push(`${name}: ${reason}`)
    process.stdout.write(`\n${'!'.repeat(80)}\nSKIPPED: ${name}: ${reason}\n${'!'.repeat(80)}\n`)
  }

  /** Adds a runner's own counts. One that failed without naming a test counts as one failure. */
  runner(name, code, counts) {
    this.passed += counts?.passed ?? 0
    this.unstable.push(...(counts?.unstable ?? []))
    for (const [reason, count] of counts?.skipped ?? []) this.leave(`${count} of ${name}`, reason)
    this.failed += counts?.failed ?? 0
    if (counts?.failed) this.failures.push(...counts.failures.map((test) => `${name}: ${test}`))
    else if (code !== 0 || !counts) this.fail(name)
  }
}

/** Results of vitest's JSON report; a file that could not even be loaded counts as one failure. */
export function readVitestReport(file) {
  const report = readJson(file)
  if (!report) return null
  const failed = report.testResults.filter(({ status }) => status === 'failed')
  const failures = failed.flatMap(failuresOf)
  const files = failed.map(({ name }) => name)
  const slowest = slowestOf(report.testResults)
  const failedCount = failures.length
  return {
    passed: report.numPassedTests,
    failed: failedCount,
    failures,
    files,
    unstable: [],
    slowest,
  }
}

/** What to look at first when a run takes too long: `12 s lib/…`. */
const slowestOf = (results) =>
  results
    .map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 20)
    .map(({ name, ms }) => `${Math.round(ms / 1000)} s ${relative(ROOT, name)}`)

/**
 * A first run and a second one of only the files that failed in it. Tests that passed in the second
 * run have passed, and are named: a busy machine can be late, but a frequent failure is a defect.
 */
export function afterSecondRun(first, second) {
  if (!second) return first
  return {
    ...second,
    passed: first.passed + first.failed - second.failed,
    unstable: first.failures.filter((name) => !second.failures.includes(name)),
  }
}

function failuresOf({ name, assertionResults }) {
  const path = relative(ROOT, name)
  const tests = assertionResults.filter(({ status }) => status === 'failed')
  return tests.length === 0 ? [path] : tests.map(({ fullName }) => `${path} › ${fullName}`)
}

/**
 * Counts of Playwright's JSON report. A test that passed when tried again has passed, and is named:
 * a busy machine can make a browser late, but a frequent failure is a defect.
 */
export function readPlaywrightReport(file) {
  const report = readJson(file)
  if (!report) return null
  const { expected, unexpected, flaky } = report.stats
  const named = (status) =>
    report.suites
      .flatMap(specsOf)
      .filter(({ tests }) => tests.some((test) => test.status === status))
      .map(({ file: spec, title }) => `${spec} › ${title}`)
  return {
    passed: expected + flaky,
    failed: unexpected,
    failures: named('unexpected'),
    unstable: named('flaky'),
    skipped: countReasons(report.suites.flatMap(specsOf).flatMap(({ tests }) => tests)),
  }
}

/** Why tests were skipped, and how many of them. */
function countReasons(tests) {
  const counts = new Map()
  for (const { status, annotations } of tests) {
    if (status !== 'skipped') continue
    const reason = annotations.find(({ type }) => type === 'skip')?.description ?? 'skipped'
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return counts
}

const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)]

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}
