/**
 * `npm run test:core`: the ordinary tests of the core on a server without layers, on PostgreSQL with `TEST_DATABASE_URL`, else
 * on the embedded database.
 */
import { coreTests } from './steps/core-tests.mjs'
import { bin, run } from './steps/run.mjs'

const files = process.argv.slice(2)
const args = ['run', ...(files.length > 0 ? files : coreTests())]
process.exit(
  await run(process.execPath, [bin('vitest/vitest.mjs'), ...args], {
    env: { TEST_LAYERS: 'none' },
  }),
)
