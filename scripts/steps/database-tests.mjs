import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from './run.mjs'

const FOLDERS = ['app', 'bin', 'components', 'lib', 'scripts']
const TEST = /\.test\.tsx?$/
const IMPORT = /(?:from|import\()\s*'((?:\.{1,2}|@)\/[^']+)'/g
/** What tests share: beside them, or in these folders. */
const SHARED = /^\.|^@\/(.+\/)?testing\//
/** Names the database that a run is for. */
const DATABASE = 'TEST_DATABASE_URL'

/** What depends on the driver or the dialect, beside the files that name one of them. */
export const BY_DIALECT = [
  'app/api/entities/[entityName]/batch/delete.test.ts',
  'app/api/entities/[entityName]/batch/edit.test.ts',
  'app/api/entities/[entityName]/durations.test.ts',
  'app/api/entities/[entityName]/export/route.test.ts',
  'app/api/entities/[entityName]/search/operators.test.ts',
  'app/api/entities/[entityName]/search/places.test.ts',
  'app/api/imports/modes.test.ts',
  'app/api/plugins/catalogue-and-sales.slow.test.ts',
  'app/api/plugins/counters-go-on.test.ts',
  'app/api/plugins/history/[id]/rollback/durations.test.ts',
  'app/api/plugins/history/[id]/rollback/rollback.test.ts',
  'app/api/plugins/install/zip/dry-run.test.ts',
  'app/api/plugins/install/zip/evolution.test.ts',
  'app/api/plugins/install/zip/route.test.ts',
  'app/api/plugins/install/zip/upgrade.test.ts',
  'app/api/plugins/people-and-classes.slow.test.ts',
  'lib/rows/write-records.test.ts',
  'lib/layers/changed-totals.test.ts',
  'lib/tables/',
]
const NAMES_DIALECT = /testsOnPostgres|[Pp]glite|embedded|dialect/
/** Comments, imports, and what leaves a test out on the embedded database: they say nothing of what differs there. */
const LEAVES_OUT = [
  /^\s*(\/\/|\*|\/\*\*|import ).*$|\s\/\/ .*$/gm,
  /(runIf\(|skipIf\(!|skip\(!)testsOnPostgres\(\)/g,
  /if \(deps\.dialect (=== 'pglite'|!== 'postgres').*\) return/g,
]
/** About locks, sessions and what two processes see, however they name the database. */
const ABOUT_DRIVERS = /^lib\/(db|layers|rows|search)\//
/** Dear, and what they say of a dialect the others say too: the matrix runs them a second time, `npm test` does not. */
export const TWICE_IN_MATRIX = [
  'app/api/guests.test.ts',
  'app/api/imports/cancel.test.ts',
  'app/api/plugins/counters-go-on.test.ts',
  'app/api/plugins/install/zip/pending-keyless-records.test.ts',
  'app/api/plugins/install/zip/pending-records.test.ts',
  'lib/tables/define-references.test.ts',
  'lib/tables/new-rules.test.ts',
  'lib/tables/undeclared-values.test.ts',
]
/** Share what opens a database, but open none. */
export const OPENS_NONE = [
  'lib/import/file/xlsx/hostile-books.slow.test.ts',
  'scripts/steps/database-tests.test.ts',
]
/**
 * Slow, and of the embedded database anyway, or of PostgreSQL alone, or about what a killed process leaves, which
 * `KILLED_WITH_DATABASE` show of it.
 */
export const RUN_ONCE = [
  'app/api/backup.slow.test.ts',
  'app/api/backup/move.slow.test.ts',
  'app/api/backup/verify.slow.test.ts',
  'app/api/entities/[entityName]/indexes/kill.slow.test.ts',
  'app/api/entities/[entityName]/restored-totals.slow.test.ts',
  'app/api/exports/killed-exports.slow.test.ts',
  'app/api/images/upload/kill.slow.test.ts',
  'app/api/later-version.slow.test.ts',
  'app/api/plugins/install/zip/kill.slow.test.ts',
  'app/api/proxies.slow.test.ts',
  'app/api/several-instances.slow.test.ts',
  'app/api/several-instances-at-once.slow.test.ts',
  'app/api/several-instances-at-work.slow.test.ts',
  'app/api/testing/database-away.slow.test.ts',
  'app/api/testing/killed-database.slow.test.ts',
  'lib/db/migrate-once.slow.test.ts',
  'lib/mail/killed-app.slow.test.ts',
  'lib/search/large-table.slow.test.ts',
  'lib/search/pages-across-processes.slow.test.ts',
]
/** A process that is killed takes the embedded database with it: what that may do to any write. */
export const KILLED_WITH_DATABASE = [
  'app/api/entities/[entityName]/batch/create-kill.slow.test.ts',
  'lib/server/first-start-kill.slow.test.ts',
]
/** Chosen by `npm run measure:reach`. */
export const CHOSEN = JSON.parse(
  readFileSync(join(ROOT, 'scripts/steps/second-database.json'), 'utf8'),
)

/** All test files. @returns {string[]} paths from the root */
const allTests = () =>
  FOLDERS.filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, name)),
    )
    .filter((name) => TEST.test(name))

/**
 * The test files that run on the database of TEST_DATABASE_URL; for all others it makes no
 * difference which one that is, so one run of them is enough.
 * @returns {string[]} paths from the root
 */
export const databaseTests = () => allTests().filter(namesDatabase)

/**
 * What `npm test` runs on the embedded database when all of `databaseTests` ran on PostgreSQL: files that
 * open neither, and those that say what differs between the two.
 * @returns {string[]} paths from the root
 */
export const testsBesidePostgres = () => [
  ...testsWithoutDatabase(),
  ...aboutDialects().filter(saysWhatDiffers),
]

/**
 * What the matrix repeats there: all that name a dialect, and those that together reach the SQL that all tests reach.
 * @returns {string[]} paths from the root
 */
export const matrixBesidePostgres = () => [
  ...new Set([...aboutDialects(), ...CHOSEN.embedded, ...KILLED_WITH_DATABASE]),
]

/** @returns {string[]} paths from the root */
export const testsWithoutDatabase = () => allTests().filter((name) => !namesDatabase(name))

/** Test files that run on the embedded database and on PostgreSQL. @returns {string[]} */
export const aboutDialects = () =>
  databaseTests().filter((name) => dependsOnDialect(name) && !RUN_ONCE.includes(name))

const isListed = (name) => BY_DIALECT.some((start) => name.startsWith(start))
const textOf = (name) => readFileSync(join(ROOT, name), 'utf8')

const dependsOnDialect = (name) => isListed(name) || NAMES_DIALECT.test(textOf(name))

/** Whether the second run of a file may find what the first does not. */
function saysWhatDiffers(name) {
  if (TWICE_IN_MATRIX.includes(name)) return false
  if (isListed(name) || ABOUT_DRIVERS.test(name)) return true
  const said = LEAVES_OUT.reduce((text, pattern) => text.replace(pattern, ''), textOf(name))
  return NAMES_DIALECT.test(said)
}

/** Whether a file names the database, or anything that it imports of what tests share. */
function namesDatabase(test) {
  if (OPENS_NONE.includes(test)) return false
  const files = new Set([test])
  for (const file of files) {
    const { names, imports } = read(file)
    if (names) return true
    for (const name of imports) files.add(name)
  }
  return false
}

const known = new Map()

function read(file) {
  const before = known.get(file)
  if (before) return before
  const text = readFileSync(join(ROOT, file), 'utf8')
  const imports = [...text.matchAll(IMPORT)]
    .filter(([, to]) => SHARED.test(to))
    .map(([, to]) => sourceOf(file, to))
    .filter(Boolean)
  const found = { names: text.includes(DATABASE), imports }
  known.set(file, found)
  return found
}

function sourceOf(file, to) {
  const path = to.startsWith('@/') ? to.slice(2) : join(dirname(file), to)
  return [path, `${path}.ts`, `${path}.tsx`].find(
    (name) => /\.\w+$/.test(name) && existsSync(join(ROOT, name)),
  )
}
