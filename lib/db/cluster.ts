import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type Db, one, rows } from './sql'

/**
 * A database that Citus spreads over workers. `distributesByKey`: whether entities whose definition says
 * nothing are distributed by their key, as the setting `engine.distribute_by_key` of the database has it.
 */
export type Cluster = { workers: number; shards: number; distributesByKey: boolean }

/** Where the rows of a table are; `colocation` is the same for tables whose shards are together. */
export type Placement =
  | { type: 'local' }
  | { type: 'reference' }
  | { type: 'distributed'; by: string; shards: number; colocation: number }

type Name = { schema: string; name: string }

/** Null on PostgreSQL without Citus, and on Citus without workers: then every table is an ordinary one. */
export async function readCluster(db: Db): Promise<Cluster | null> {
  const [citus] = await rows(db, sql`select from pg_extension where extname = 'citus'`)
  if (!citus) return null
  const found = one(
    await rows<Cluster>(
      db,
      sql`select count(*)::int as workers, current_setting('citus.shard_count')::int as shards,
            coalesce(current_setting('engine.distribute_by_key', true) = 'on', false) as "distributesByKey"
          from pg_dist_node where noderole = 'primary' and groupid > 0 and isactive`,
    ),
  )
  return found.workers > 0 ? found : null
}

/** Of a table of a cluster; null when there is no such table. `records`: an estimate. */
export async function placementOf(
  db: Db,
  table: Name,
): Promise<(Placement & { records: number }) | null> {
  const [found] = await rows<PlacementRow>(
    db,
    sql`select column_to_column_name(logicalrelid, partkey) as by, colocationid as colocation,
          case when partmethod = 'h' then 'distributed' when repmodel = 't' then 'reference' else 'local' end as type,
          (select count(*)::int from pg_dist_shard s where s.logicalrelid = p.logicalrelid) as shards,
          greatest(reltuples, 0)::float8 as records
        from pg_class c left join pg_dist_partition p on logicalrelid = c.oid
        where c.oid = to_regclass(${text(table)})`,
  )
  if (!found) return null
  const { type, records, by, shards, colocation } = found
  return type === 'distributed' ? { type, by, shards, colocation, records } : { type, records }
}

type PlacementRow = {
  type: Placement['type']
  by: string
  shards: number
  colocation: number
  records: number
}

/**
 * The rows that have been copied so far of a table that is being moved between nodes; null when it is not. Rows that
 * go to several nodes count once.
 */
export async function movedRecords(db: Db, table: Name): Promise<number | null> {
  const [mover] = await rows<{ pid: number }>(
    db,
    sql`select l.pid from pg_locks l join pg_stat_activity a using (pid)
        where relation = ${relation(table)} and granted and mode = 'AccessExclusiveLock'
          and database = (select oid from pg_database where datname = current_database())
          and query ~ '(create_(distributed|reference)|undistribute)_table'`,
  )
  if (!mover) return null
  const copies = `select coalesce(sum(tuples_processed), 0) from pg_stat_progress_copy join pg_stat_activity using (pid)
    where application_name ~ 'gpid=[0-9]*0${mover.pid}$'`
  const { copied } = one(
    await rows<{ copied: number }>(
      db,
      sql`select case when (select query from pg_stat_activity where pid = ${mover.pid}::int) like '%reference%'
            then max(result::float8) else sum(result::float8) end as copied
          from run_command_on_workers(${copies}::text) where success`,
    ),
  )
  return copied
}

/**
 * In the list of a `select`: what this transaction sends to several shards goes one after the other. Citus
 * refuses to change tables that refer to each other without it, and PostgreSQL ignores it.
 */
export const ONE_AFTER_THE_OTHER: SQL = sql`set_config('citus.multi_shard_modify_mode', 'sequential', true)`

/** Spreads the rows of a table over the workers by the hash of a column, `beside` another table or on its own. */
export const distributeTable = (table: Name, by: string, beside?: Name): SQL =>
  sql`select create_distributed_table(${relation(table)}, ${by}::text, colocate_with => ${beside ? text(beside) : 'none'}::text)`

/** Copies a table to every node. */
export const replicateTable = (table: Name): SQL =>
  sql`select create_reference_table(${relation(table)})`

/** Removes what a distributed or replicated table leaves on the coordinator. */
export const dropLocalRows = (table: Name): SQL =>
  sql`select truncate_local_data_after_distributing_table(${relation(table)})`

/** Brings the rows of a table back to the coordinator. The table gets another OID. */
export const undistributeTable = (table: Name): SQL =>
  sql`select undistribute_table(${relation(table)})`

const text = ({ schema, name }: Name) =>
  [schema, name].map((part) => `"${part.replaceAll('"', '""')}"`).join('.')
const relation = (table: Name) => sql`${text(table)}::regclass`

/**
 * Whether Citus keeps the rows of a table on the nodes of a cluster, spread over them or copied to each; by catalogs
 * that every PostgreSQL has. `schema` and `name` are expressions.
 */
export const isDistributedSql = (schema: SQLWrapper, name: SQLWrapper): SQL<boolean> =>
  sql`exists (select from pg_trigger where tgrelid = to_regclass(format('%I.%I', ${schema}, ${name}))
    and tgfoid = to_regproc('pg_catalog.citus_truncate_trigger'))`
