import { runTests } from './kills'
import type { Line } from './report'

/** Two servers with as many `records`, edited both, and promotions between them that are killed as often as `rounds` says. */
export const runPromotions = (url: string, records: string, rounds: string): Line[] =>
  runTests(
    {
      ...{ ...process.env, TEST_DATABASE_URL: url },
      ...{ PROMOTED_RECORDS: records, KILL_ROUNDS: rounds, DRY_RUN_TIMEOUT_MS: '600000' },
    },
    ['large-promotion'],
  )

/**
 * Installs, upgrades, exports and searches at random, as many new ones of each kind as `count` says, compared with what
 * the documents promise.
 * `url`: of a server for tests; none is the embedded database.
 */
export const runStories = (url: string, count: string): Line[] =>
  runTests({ ...process.env, TEST_DATABASE_URL: url, NEW_CASES: count }, [
    'any-story',
    'any-upgrade',
    'any-dry-run',
    'any-validation',
    'round-trip',
    'search-model',
    'relations-model',
  ])

/** As many new requests as `count` says under random policies: none may tell its caller what is hidden. `url`: as above. */
export const runTaint = (url: string, count: string): Line[] =>
  runTests({ ...process.env, TEST_DATABASE_URL: url, NEW_CASES: count }, ['app/api/taint.test'])
