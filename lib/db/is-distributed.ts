import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/**
 * Whether Citus keeps the rows of a table on the nodes of a cluster, spread over them or copied to each; by catalogs
 * that every PostgreSQL has. `schema` and `name` are expressions.
 */
export const isDistributedSql = (schema: SQLWrapper, name: SQLWrapper): SQL<boolean> =>
  sql`exists (select from pg_trigger where tgrelid = to_regclass(format('%I.%I', ${schema}, ${name}))
    and tgfoid = to_regproc('pg_catalog.citus_truncate_trigger'))`
