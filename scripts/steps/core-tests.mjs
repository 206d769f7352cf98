import { databaseTests } from './database-tests.mjs'

/** Tests of what the core is for, beside those of the rooms that it uses. */
const FOLDERS = [
  'app/api/envelope.test.ts',
  'app/api/entities/',
  'app/api/images/',
  'app/api/plugins/install/zip/route.test.ts',
  'app/api/core-alone.test.ts',
  'app/api/users/',
  'lib/auth/',
  'lib/images/',
  'lib/policies/',
  'lib/records/',
  'lib/registry/',
  'lib/rows/',
  'lib/search/',
  'lib/tables/',
  'lib/users/',
]

/** What proves layers through the API, with their names; a test of a layer in another file asks `testsOfCore`. */
const OF_LAYERS = {
  'app/api/entities/[entityName]/[id]/comments/lasting-comments.test.ts':
    'comments, trash, life-cycle',
  'app/api/entities/[entityName]/[id]/history/last-change.test.ts': 'record-history',
  'app/api/entities/[entityName]/[id]/history/other-ways.test.ts': 'life-cycle, trash',
  'app/api/entities/[entityName]/advice/': 'index-advice',
  'app/api/entities/[entityName]/batch/delete-ignored.test.ts': 'trash',
  'app/api/entities/[entityName]/batch/edit-undo.test.ts': 'trash',
  'app/api/entities/[entityName]/changes/cursor-of-reads.test.ts': 'record-events',
  'app/api/entities/[entityName]/changes/documented-copy.test.ts': 'record-events',
  'app/api/entities/[entityName]/events/': 'life-cycle',
  'app/api/entities/[entityName]/indexes/': 'index-advice, idempotency',
  'app/api/entities/[entityName]/kept-links.test.ts': 'record-history, record-events, trash',
  'app/api/entities/[entityName]/kept-nested.test.ts': 'record-history, record-events',
  'app/api/entities/[entityName]/totals-through-api.test.ts': 'known-totals, trash',
  'app/api/entities/[entityName]/totals.test.ts': 'known-totals',
}

/** Ordinary tests with a database that pass on the core alone. @returns {string[]} paths from the root */
export const coreTests = () =>
  databaseTests().filter(
    (file) =>
      FOLDERS.some((start) => file.startsWith(start)) &&
      !file.includes('.slow.') &&
      !Object.keys(OF_LAYERS).some((start) => file.startsWith(start)),
  )
