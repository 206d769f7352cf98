/** What sessions do elsewhere, and what most requests run. */
export const SELECTED = [
  'app/api/plugins/life-of-a-plugin',
  'app/api/entities/[entityName]/search/route',
  'app/api/entities/[entityName]/export/route',
  'app/api/several-instances.slow',
  'lib/auth/credentials-across-processes',
  'lib/db/locks',
  'lib/rows/write-records',
  'lib/layers/concurrent-totals',
  'lib/search/pages-across-processes',
]

/** Connections of the server that all of them share. */
export const POOLED_CONNECTIONS = 4

/** Arguments for vitest. */
export const pooledTests = () => ['run', ...SELECTED]
