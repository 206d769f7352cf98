/**
 * What changes tables, writes, searches, deletes, restores and exports records: on a cluster, all entities
 * distributed. Of installs those of records that a file gave before.
 */
const SELECTED = [
  'lib/tables',
  'lib/records',
  'lib/search',
  'lib/trash',
  'lib/export',
  'app/api/entities/[entityName]/search',
  'app/api/entities/[entityName]/export',
  'app/api/entities/[entityName]/count',
  'app/api/entities/[entityName]/distribution',
  'app/api/plugins/install/zip/given-records',
  'app/api/trash',
  'app/api/health',
]

/** Files among them that mean nothing on a cluster, and why. */
const LEFT_OUT = {
  'lib/search/changed-totals.test.ts': 'totals are not kept on a cluster but counted',
  'lib/search/concurrent-totals.test.ts': 'as above, and shards are not read in one snapshot',
  'lib/search/remembered-pages.test.ts': 'pages are remembered by the version of a kept total',
  'lib/search/read-together.test.ts': 'totals and pages that share a scan of one table',
  'lib/search/planned-once.test.ts': 'plans of one server; the coordinator plans for shards',
  'lib/search/few-reads.test.ts': 'blocks that one server reads',
  'lib/**/*.slow.test.ts': 'sizes and times of one server',
  'app/api/{entities,trash}/**/*.slow.test.ts': 'as above',
}

/** Arguments for vitest. */
export const citusTests = () => [
  'run',
  ...SELECTED,
  ...Object.keys(LEFT_OUT).flatMap((file) => ['--exclude', file]),
]
