import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHOSEN, databaseTests } from './database-tests.mjs'
import { ROOT } from './run.mjs'

/**
 * What changes tables, writes, searches, deletes, restores and exports records, and the life of plugins: on a cluster,
 * all entities distributed. Of installs those that join records with what plugins gave, change keys, move tables and
 * try plans; the others pass, too, but take as long as all of these.
 */
export const SELECTED = [
  'lib/tables',
  'lib/rows',
  'lib/search',
  'app/api/entities/[entityName]/search',
  'app/api/entities/[entityName]/export',
  'app/api/entities/[entityName]/count',
  'app/api/entities/[entityName]/distribution',
  'app/api/entities/[entityName]/batch/delete',
  'app/api/entities/[entityName]/batch/killed-worker',
  'app/api/entities/[entityName]/batch/rules-of-batches',
  'app/api/entities/[entityName]/composite-references',
  'app/api/entities/[entityName]/on-delete',
  'app/api/entities/[entityName]/indexes/unique-on-nodes',
  ...[
    'drift',
    'export',
    'uninstall.',
    'uninstall-beside',
    'uninstall-keeping',
    'uninstall-restored',
  ].map((name) => `app/api/plugins/[id]/${name}`),
  'app/api/plugins/history/[id]/rollback',
  'app/api/plugins/history/[id]/cancel/long-statement',
  ...[
    'route',
    'modes',
    'remembered-records',
    'upgrade',
    'wider-counters',
    'wider-keys-in-dry-runs',
    'renamed-entities',
    'empty-table.',
    'generated-defaults',
    'unique-together',
    'dry-run.',
    'dry-run-l',
    'killed-worker',
  ].map((name) => `app/api/plugins/install/zip/${name}`),
  'app/api/trash',
  'app/api/taint.test',
  'app/api/health',
]

/** Files among them that mean nothing on a cluster, and why. */
export const LEFT_OUT = {
  'lib/layers/changed-totals.test.ts': 'totals are not kept on a cluster but counted',
  'lib/layers/concurrent-totals.test.ts': 'as above, and shards are not read in one snapshot',
  'lib/layers/remembered-pages.test.ts': 'pages are remembered by the version of a kept total',
  'lib/layers/read-together.test.ts': 'totals and pages that share a scan of one table',
  'lib/search/planned-once.test.ts': 'plans of one server; the coordinator plans for shards',
  'lib/search/few-reads.test.ts': 'blocks that one server reads',
  'lib/**/*.slow.test.ts': 'sizes and times of one server',
  'app/api/{entities,trash}/**/!(killed-worker).slow.test.ts': 'as above',
  'app/api/plugins/**/kill.slow.test.ts':
    'the process is killed, not a worker: what it leaves is in tables of the coordinator',
  'app/api/plugins/**/round-trip.slow.test.ts':
    'minutes; what it joins are the exports and uninstalls',
}

const NAMES_CLUSTER = /[Cc]itus|distribut|placement|cluster/

/** Test files that mean something on a cluster. @returns {string[]} paths from the root */
export const ofCluster = () =>
  databaseTests().filter(
    (test) => SELECTED.some((name) => test.startsWith(name)) && !(test in LEFT_OUT),
  )

/** Those of them that are about clusters. @returns {string[]} */
export const aboutClusters = () =>
  ofCluster().filter((test) => NAMES_CLUSTER.test(readFileSync(join(ROOT, test), 'utf8')))

/** Arguments for vitest: those about clusters, slow ones, and those that together reach the SQL that all reach. */
export const citusTests = () => [
  'run',
  ...new Set([
    ...aboutClusters(),
    ...ofCluster().filter((test) => test.includes('.slow.') || CHOSEN.citus.includes(test)),
  ]),
  ...Object.keys(LEFT_OUT).flatMap((file) => ['--exclude', file]),
]
