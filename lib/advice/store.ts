import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { entities, searchShapes } from '@/lib/db/schema'
import { type Db, one, rows, textArray } from '@/lib/db/sql'
import type { AddedIndex, Entity, TableName } from '@/lib/definitions/definition'
import type { SearchFigures, SearchShape } from '@/lib/definitions/search-shape'
import { AppError } from '@/lib/errors'
import { entityNamed, mergeEntity } from '@/lib/registry/registry-rows'

export type ShapeRow = typeof searchShapes.$inferSelect

/** The shapes of an entity's slow searches, those first that take the most time. */
export const findShapes = (db: Db, entity: string): Promise<ShapeRow[]> =>
  db
    .select()
    .from(searchShapes)
    .where(eq(searchShapes.entity, entity))
    .orderBy(desc(searchShapes.totalMs), searchShapes.hash)

/** Counts the runs of shapes from now on, and keeps the figures until now for comparison. */
export async function beginMeasuring(db: Db, entity: string, hashes: string[]): Promise<void> {
  if (hashes.length === 0) return
  await db
    .update(searchShapes)
    .set({
      before: sql`jsonb_build_object('runs', runs, 'totalMs', total_ms, 'maxMs', max_ms)`,
      runs: 0,
      totalMs: 0,
      maxMs: 0,
    })
    .where(and(shapesOf(entity, hashes), sql`${searchShapes.runs} > 0`))
}

/** The figures from before the index apply again. */
export async function endMeasuring(db: Db, entity: string, hashes: string[]): Promise<void> {
  if (hashes.length === 0) return
  const { before } = searchShapes
  await db
    .update(searchShapes)
    .set({
      before: null,
      runs: sql`(${before} ->> 'runs')::bigint`,
      totalMs: sql`(${before} ->> 'totalMs')::float8`,
      maxMs: sql`(${before} ->> 'maxMs')::float8`,
    })
    .where(and(shapesOf(entity, hashes), sql`${before} is not null`))
}

const shapesOf = (entity: string, hashes: string[]) =>
  and(eq(searchShapes.entity, entity), inArray(searchShapes.hash, hashes))

/** The entity as it is now; its added indexes stay until the transaction ends. Throws `not_found`. */
export async function lockEntity(tx: Db, name: string): Promise<Entity> {
  await tx.select().from(entities).where(eq(entities.name, name)).for('update')
  const found = (await entityNamed(tx, name)).find(({ row }) => row.name === name)
  if (!found) throw new AppError('not_found', `There is no entity ${JSON.stringify(name)}`)
  return mergeEntity(found.row, found.schema)
}

export async function saveAdded(
  tx: Db,
  { name }: Pick<Entity, 'name'>,
  addedIndexes: AddedIndex[],
): Promise<void> {
  await tx.update(entities).set({ addedIndexes }).where(eq(entities.name, name))
}

/** An added index that the database has. */
export type FoundIndex = {
  entity: string
  table: TableName
  name: string
  isValid: boolean
  bytes: number
  scans: number
  /** The process of the database that builds it. */
  pid: number | null
  progress: number | null
}

/** Added indexes as they are in the database: of one entity, or of all. */
export const findIndexes = (db: Db, prefix: string, entity?: string): Promise<FoundIndex[]> =>
  rows<FoundIndex>(
    db,
    sql`select e.name as entity, json_build_object('schema', n.nspname, 'name', t.relname) as "table", c.relname as name,
        i.indisvalid as "isValid", pg_relation_size(c.oid)::float8 as bytes,
        coalesce(pg_stat_get_numscans(c.oid), 0)::float8 as scans, p.pid,
        case when p.blocks_total > 0 and p.phase like 'building%' then p.blocks_done::float8 / p.blocks_total end as progress
      from ${entities} e join pg_namespace n on n.nspname = e.table_schema
        join pg_class t on t.relnamespace = n.oid and t.relname = e.table_name
        join pg_index i on i.indrelid = t.oid join pg_class c on c.oid = i.indexrelid
        left join pg_stat_progress_create_index p on p.index_relid = c.oid and p.datname = current_database()
      where c.relname like ${`${prefix}\\_%`} and ${entity === undefined ? sql`true` : sql`e.name = ${entity}`}
      order by e.name, c.relname`,
  )

/** Whether there is anything to build or drop at all, cheaply. */
export async function countAdded(db: Db): Promise<number> {
  const query = sql`select count(*)::int as count from ${entities} where ${entities.addedIndexes} <> '[]'::jsonb`
  return one(await rows<{ count: number }>(db, query)).count
}

/** Shapes kept of an entity; beyond that those that are old or took the least time are dropped. */
export const MAX_SHAPES = 100

/** Runs of a shape since the last write. */
export type NotedSearch = SearchFigures & {
  entity: string
  /** SHA-256 of the shape's JSON. */
  hash: string
  shape: SearchShape
  lastMs: number
  lastAt: Date
  /** Otherwise it counts only where the shape is stored already. */
  isKnown: boolean
}

const OLD = sql`interval '30 days'`

/** Adds the runs to the stored figures, in an order in which concurrent calls can't deadlock. */
export async function saveShapes(db: Db, noted: readonly NotedSearch[]): Promise<void> {
  await db.execute(sql`
    insert into ${searchShapes} as s (entity, hash, shape, runs, total_ms, max_ms, last_ms, last_at)
    select n.entity, n.hash, n.shape, n.runs, n."totalMs", n."maxMs", n."lastMs", n."lastAt"
    from jsonb_to_recordset(${JSON.stringify(noted)}::text::jsonb) as n(entity text, hash text, shape jsonb, runs bigint,
      "totalMs" float8, "maxMs" float8, "lastMs" float8, "lastAt" timestamptz, "isKnown" boolean)
    where exists (select from ${entities} e where e.name = n.entity)
      and (n."isKnown" or exists (select from ${searchShapes} k where k.entity = n.entity and k.hash = n.hash))
    order by n.entity, n.hash
    on conflict (entity, hash) do update set runs = s.runs + excluded.runs, total_ms = s.total_ms + excluded.total_ms,
      max_ms = greatest(s.max_ms, excluded.max_ms), last_ms = excluded.last_ms, last_at = excluded.last_at`)
  await dropCheapest(db, [...new Set(noted.map(({ entity }) => entity))])
}

async function dropCheapest(db: Db, names: readonly string[]): Promise<void> {
  await db.execute(sql`
    delete from ${searchShapes} s using (
      select entity, hash, row_number() over (partition by entity
        order by last_at > now() - ${OLD} desc, total_ms desc, hash) as n
      from ${searchShapes} where entity = any(${textArray(names)})) as ranked
    where s.entity = ranked.entity and s.hash = ranked.hash and ranked.n > ${MAX_SHAPES}::int`)
}
