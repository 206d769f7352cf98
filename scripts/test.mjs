/**
 * `npm test`: each test file once, without slow ones, on the database that suits it, and the main journeys in the
 * browser. `npm test -- --matrix`: everything, on each database. `npm run check` (`--fast`): a quick selection. Needs
 * nothing but Node and npm: everything else is installed if it is missing, or reported at the end as not run. With `TEST_NODE`,
 * the path of another Node, all of it runs by that one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './steps/build.mjs'
import { checkBrowser } from './steps/check-browser.mjs'
import { checkKinds } from './steps/check-kinds.mjs'
import { checkRooms } from './steps/check-rooms.mjs'
import { checkSizes } from './steps/check-sizes.mjs'
import { installChromium } from './steps/chromium.mjs'
import { citusTests } from './steps/citus-tests.mjs'
import { coreTests } from './steps/core-tests.mjs'
import {
  databaseTests,
  matrixBesidePostgres,
  testsBesidePostgres,
  testsWithoutDatabase,
} from './steps/database-tests.mjs'
import { changedSources, pureTests } from './steps/fast-tests.mjs'
import { installPackages } from './steps/install-packages.mjs'
import { startPgBouncer } from './steps/pgbouncer.mjs'
import { POOLED_CONNECTIONS, pooledTests } from './steps/pooled-tests.mjs'
import { bin, ROOT, run } from './steps/run.mjs'
import { afterSecondRun, readPlaywrightReport, readVitestReport, Tally } from './steps/tally.mjs'
import { runByTestNode } from './steps/test-node.mjs'
import { startThrowawayCitus, whyNoCitus } from './steps/throwaway-citus.mjs'
import { startThrowawayPostgres } from './steps/throwaway-postgres.mjs'

const code = await runByTestNode(process.argv[1], process.argv.slice(2))
if (code !== null) process.exit(code)

const tally = new Tally()
const reports = mkdtempSync(join(tmpdir(), 'engine-reports-'))
process.once('exit', () => rmSync(reports, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, (_, number) => process.exit(128 + number))

// The tests must not reach the developer's own database or providers.
const ISOLATED = {
  DATABASE_URL: '',
  DATABASE_DIRECT_URL: '',
  RESEND_API_KEY: '',
  SMTP_URL: '',
  CLOUDINARY_URL: '',
}
const ENV = { ...ISOLATED, NEXT_TELEMETRY_DISABLED: '1' }
const IN_MEMORY = { inMemory: true }
const EMBEDDED = { TEST_DATABASE_URL: '' }
/** Without `*.slow.test.ts`. */
const ORDINARY = { FAST: '1' }
/** A worker of slow tests waits for processes that it started: one more fills that. Others would make each other slower. */
const MORE_WORKERS = `--maxWorkers=${availableParallelism() + 1}`
/** Of 90 minutes that CI gives a run: what is begun later might not come to its end. */
const LATEST_MINUTES = 76
/** A journey takes up to two minutes, and is tried twice. */
const LATEST_MINUTES_OF_JOURNEYS = 83
/** What people do in their first hour. */
const MAIN_JOURNEYS = [
  'engine',
  'first-steps',
  'accounts',
  'plugins',
  'entities',
  'trash',
  'images',
].map((name) => `e2e/${name}.spec.ts`)
/** What the matrix repeats on the embedded database: the whole way of a plugin, a first start, and a model by clicking. */
const EMBEDDED_JOURNEYS = ['engine', 'first-steps', 'model-story'].map(
  (name) => `e2e/${name}.spec.ts`,
)

const node = (path, args, env = {}) =>
  run(process.execPath, [bin(path), ...args], { env: { ...ENV, ...env } })

title(`Node ${process.versions.node}`)
await installPackages()
await checkSources()
if (process.argv.includes('--fast')) await testFast()
else if (process.argv.includes('--matrix')) await testMatrix()
else await testOnce()
finish()

/**
 * Each test on PostgreSQL; on the other databases those that reach all SQL, and those about what is different there. What was tried
 * on PostgreSQL goes last: a machine so slow that CI would end the run leaves it out, and says so.
 */
async function testMatrix() {
  const onPostgres = await testOnPostgres({ isMatrix: true })
  // A build leaves a processor idle for most of its time.
  const building = build(ENV)
  if (onPostgres)
    await runVitest('tests without a database', EMBEDDED, ['run', ...testsWithoutDatabase()])
  await testThroughPgBouncer()
  const isBuilt = await building
  await startFromNothing(isBuilt)
  if (!onPostgres) await runVitest('tests on PGlite', EMBEDDED)
  await testInBrowser(isBuilt, runAllJourneys)
  await repeatOnOthers(onPostgres, isBuilt)
}

/** Each documented way to a served request, by the build that serves the journeys. */
async function startFromNothing(isBuilt) {
  if (isBuilt !== 0) return
  title('from nothing to a served request')
  const args = [join(ROOT, 'scripts/from-nothing.mjs'), '--built']
  tally.step('from nothing', await run(process.execPath, args, { env: ENV }))
}

async function repeatOnOthers(onPostgres, isBuilt) {
  const again = 'end-to-end tests on PGlite'
  if (onPostgres && !isLate('tests on PGlite'))
    await runVitest('tests on PGlite', EMBEDDED, ['run', ...matrixBesidePostgres()])
  if (onPostgres && isBuilt === 0 && !isLate(again)) await runPlaywright(again, EMBEDDED_JOURNEYS)
  if (!isLate('tests on Citus')) await testOnCitus()
}

function isLate(name) {
  const minutes = Math.round(performance.now() / 60_000)
  if (minutes < LATEST_MINUTES) return false
  tally.leave(
    name,
    `the run had taken ${minutes} minutes; run npm test -- --matrix on a faster machine`,
  )
  return true
}

/** Slow tests are left out. Without a PostgreSQL server, all others run on the embedded database. */
async function testOnce() {
  const onPostgres = await testOnPostgres({ isMatrix: false })
  const beside = onPostgres ? testsBesidePostgres() : []
  const building = build(ENV)
  await runVitest('tests on PGlite', { ...EMBEDDED, ...ORDINARY }, ['run', ...beside])
  await testInBrowser(await building, () => runJourneys(MAIN_JOURNEYS))
}

/** All at the same time: each leaves processors idle for most of its time. */
async function checkSources() {
  // Needs a package, so it is imported when those are installed.
  const { checkWords } = await import('./steps/check-words.mjs')
  title('lint, rooms, sizes, types, unused code')
  const faults = [
    ...checkRooms(ROOT),
    ...checkBrowser(ROOT),
    ...checkSizes(ROOT),
    ...checkWords(ROOT),
    ...checkKinds(ROOT),
  ]
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  const [lint, types, unused] = await Promise.all([
    node('@biomejs/biome/bin/biome', ['check', '.']),
    node('next/dist/bin/next', ['typegen']).then(
      (generated) => generated || node('typescript/bin/tsc', ['--noEmit']),
    ),
    node('knip/bin/knip.js', ['--no-progress', '--no-config-hints']),
  ])
  tally.step('rooms, sizes, kinds', faults.length)
  tally.step('lint', lint)
  tally.step('types', types)
  tally.step('unused code', unused)
}

/** Tests without a database, then those that any change since the last commit concerns. */
async function testFast() {
  const env = { ...EMBEDDED, ...ORDINARY }
  await runVitest('tests without a database', env, ['run', ...pureTests()])
  const changed = changedSources()
  if (changed.length > 0)
    await runVitest('tests of what changed', env, ['related', '--run', ...changed])
}

async function runVitest(name, env, command = ['run']) {
  title(name)
  const first = await vitest(env, command)
  // On CI, one late answer of a busy machine must not cost a whole run.
  const again = process.env.CI === 'true' && isWorthASecondRun(first.results)
  for (const file of first.results?.slowest ?? []) process.stdout.write(`slow: ${file}\n`)
  if (!again) return tally.runner(name, first.code, first.results)
  title(`${name}: files that failed, a second time`)
  const second = await vitest(env, ['run', ...first.results.files])
  tally.runner(name, second.code, afterSecondRun(first.results, second.results))
}

/** Many failures have a cause that a second run would only repeat. */
function isWorthASecondRun(results) {
  return results?.failed > 0 && results.files.length <= 5
}

async function vitest(env, command) {
  const report = join(mkdtempSync(join(reports, 'vitest-')), 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await node('vitest/vitest.mjs', [...command, ...reporters], env)
  return { code, results: readVitestReport(report) }
}

/** Returns whether there was a server. The matrix runs slow tests too, and those of the core alone. */
async function testOnPostgres({ isMatrix }) {
  const name = 'tests on PostgreSQL'
  const url = process.env.TEST_DATABASE_URL
  const server = url ? { url, stop: () => {} } : await startThrowawayPostgres(IN_MEMORY)
  if (!server) {
    tally.skip(name, 'install PostgreSQL, or set TEST_DATABASE_URL to a server for tests')
    return false
  }
  const env = { TEST_DATABASE_URL: server.url }
  const files = databaseTests()
  const slow = files.filter((file) => file.includes('.slow.'))
  const ordinary = files.filter((file) => !slow.includes(file))
  await runVitest(name, env, ['run', ...ordinary])
  if (isMatrix) {
    await runVitest(`slow ${name}`, env, ['run', MORE_WORKERS, ...slow])
    const alone = { ...env, TEST_LAYERS: 'none' }
    await runVitest('tests of the core alone', alone, ['run', ...coreTests()])
  }
  server.stop()
  return true
}

async function testThroughPgBouncer() {
  const name = 'tests through PgBouncer'
  const server = await startThrowawayPostgres(IN_MEMORY)
  const pooler =
    server &&
    (await startPgBouncer(server.url, { mode: 'transaction', connections: POOLED_CONNECTIONS }))
  if (!pooler) tally.skip(name, 'install PostgreSQL and PgBouncer')
  else {
    const env = { TEST_DATABASE_URL: pooler.url, TEST_DATABASE_DIRECT_URL: server.url }
    await runVitest(name, env, pooledTests())
    pooler.stop()
  }
  server?.stop()
}

async function testOnCitus() {
  const name = 'tests on Citus'
  const reason = whyNoCitus()
  if (reason) return tally.leave(name, reason)
  const cluster = await startThrowawayCitus(IN_MEMORY).catch((error) =>
    tally.leave(name, error.message),
  )
  if (!cluster) return
  await runVitest(name, { TEST_DATABASE_URL: cluster.url }, citusTests())
  cluster.stop()
}

/**
 * @param {number} built the exit code of the build
 * @param {() => Promise<void>} journeys
 */
async function testInBrowser(built, journeys) {
  const name = 'end-to-end tests'
  if (!tally.step('build', built)) tally.skip(name, 'the build failed')
  else if (!(await installChromium())) tally.skip(name, 'install Chromium')
  else await journeys()
}

async function runAllJourneys() {
  process.env.E2E_LATEST = String(performance.timeOrigin + LATEST_MINUTES_OF_JOURNEYS * 60_000)
  await runJourneys([])
}

/** On PostgreSQL if there is one: it takes half of the processor time of the embedded database. */
async function runJourneys(specs) {
  const server = await startThrowawayPostgres(IN_MEMORY)
  if (!server) return runPlaywright('end-to-end tests', specs)
  await runPlaywright('end-to-end tests on PostgreSQL', specs, server.url)
  server.stop()
}

async function runPlaywright(name, specs = [], database = '') {
  title(name)
  const report = join(reports, 'e2e.json')
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report, E2E_DATABASE_URL: database }
  const command = ['test', '--reporter=list,json', ...specs]
  const code = await node('@playwright/test/cli.js', command, env)
  tally.runner(name, code, readPlaywrightReport(report))
}

function finish() {
  const { passed, failed, failures, notRun, left, unstable } = tally
  process.stdout.write('\n')
  for (const name of failures) process.stdout.write(`FAILED: ${name}\n`)
  for (const name of unstable) process.stdout.write(`UNSTABLE: ${name}: passed when tried again\n`)
  for (const name of left) process.stdout.write(`SKIPPED: ${name}\n`)
  for (const name of notRun) process.stdout.write(`NOT RUN: ${name}\n`)
  // On a developer's machine, report what can't be run; on CI, fail.
  const missing = process.env.CI === 'true' ? notRun.length : 0
  process.stdout.write(`${passed} passed, ${failed + missing} failed\n`)
  process.exit(failed + missing > 0 ? 1 : 0)
}

function title(name) {
  process.stdout.write(`\n— ${name} (after ${Math.round(performance.now() / 1000)} s)\n`)
}
