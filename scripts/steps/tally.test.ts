import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './run.mjs'
import { afterSecondRun, readPlaywrightReport, readVitestReport, Tally } from './tally.mjs'

type Tests = Record<string, 'passed' | 'failed'>

/** A report in vitest's form: for each file its tests, none for a file that could not be loaded. */
function report(files: Record<string, Tests>) {
  const path = join(mkdtempSync(join(tmpdir(), 'engine-tally-')), 'report.json')
  const testResults = Object.entries(files).map(([name, tests]) => {
    const assertionResults = Object.entries(tests).map(([fullName, status]) => ({
      fullName,
      status,
    }))
    const good = assertionResults.every(({ status }) => status === 'passed')
    const status = good && assertionResults.length > 0 ? 'passed' : 'failed'
    return { name: join(ROOT, name), status, assertionResults }
  })
  const all = Object.values(files).flatMap((tests) => Object.values(tests))
  const numPassedTests = all.filter((status) => status === 'passed').length
  writeFileSync(path, JSON.stringify({ testResults, numPassedTests }))
  return readVitestReport(path)
}

const FIRST = { 'a.test.ts': { 'is late': 'failed', holds: 'passed' }, 'b.test.ts': {} } as const

test('failures are named, one for a file that could not be loaded', () => {
  const tally = new Tally()
  tally.runner('tests', 1, report(FIRST))
  expect(tally).toMatchObject({
    passed: 1,
    failed: 2,
    failures: ['tests: a.test.ts › is late', 'tests: b.test.ts'],
  })
})

test('what passes when tried again has passed and is named; what fails twice has failed', () => {
  const second = report({ ...FIRST, 'a.test.ts': { 'is late': 'passed', holds: 'passed' } })
  const tally = new Tally()
  tally.runner('tests', 1, afterSecondRun(report(FIRST), second))
  expect(tally).toMatchObject({
    passed: 2,
    failed: 1,
    failures: ['tests: b.test.ts'],
    unstable: ['a.test.ts › is late'],
  })
})

test('a second run without a report leaves the first one as it is', () => {
  expect(afterSecondRun(report(FIRST), null)).toEqual(report(FIRST))
})

test('journeys that were left out are no failures, and are counted by their reason', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'engine-tally-')), 'e2e.json')
  const skipped = { status: 'skipped', annotations: [{ type: 'skip', description: 'too late' }] }
  const specs = [
    { tests: [{ status: 'expected', annotations: [] }] },
    { tests: [skipped, skipped] },
  ]
  const stats = { expected: 1, unexpected: 0, flaky: 0 }
  writeFileSync(path, JSON.stringify({ stats, suites: [{ suites: [{ specs }] }] }))
  const tally = new Tally()
  tally.runner('journeys', 0, readPlaywrightReport(path))
  expect(tally).toMatchObject({ passed: 1, failed: 0, left: ['2 of journeys: too late'] })
})
