import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows, tableSql } from '@/lib/db/sql'
import type { Entity, TableName } from '@/lib/definitions/definition'
import { columnList } from '@/lib/rows/record-columns'
import { keySql } from './record-sql'

/**
 * The entity, to be read together with what plugins gave and to be changed by that. On the nodes of a cluster, which take no part in such
 * statements, it gets a temporary copy of its records (those of `where`, about the row `t`) as its table, until the
 * transaction ends or it is staged again; `writeStaged` writes back what was changed there. Others write nothing meanwhile.
 */
export async function stageRecords(tx: Db, entity: Entity, where?: SQL): Promise<Entity> {
  if (!entity.isDistributed) return entity
  const { isDistributed: _, ...rest } = entity
  const [own, copy] = [tableSql(entity.table), tableSql(STAGED)]
  await tx.execute(sql`lock table ${own} in share row exclusive mode`)
  await tx.execute(sql`drop table if exists ${copy}, ${tableSql(BEFORE)}`)
  await tx.execute(sql`create temp table ${copy} (like ${own}) on commit drop`)
  await tx.execute(sql`insert into ${copy} select t.* from ${own} as t where ${where ?? sql`true`}`)
  await tx.execute(sql`create index on ${copy} (${columnList(entity.keys)})`)
  await tx.execute(sql`analyze ${copy}`)
  await tx.execute(
    sql`create temp table ${tableSql(BEFORE)} on commit drop as select * from ${copy}`,
  )
  return { ...rest, table: STAGED }
}

const STAGED: TableName = { schema: 'pg_temp', name: 'engine_staged' }
const BEFORE: TableName = { schema: 'pg_temp', name: 'engine_staged_before' }

/**
 * Whether the record `$row` has one of the `keys`, a query of their texts. Nodes of a cluster make no text of a time in a
 * change, so there the staged copy tells the keys.
 */
export function hasKey(entity: Entity, { table }: Entity, keys: SQL): SQL {
  if (!entity.isDistributed) return sql`${keySql(entity, '$row')} in (${keys})`
  const own = entity.keys.map((name) => sql`"$row".${sql.identifier(name)}`)
  return sql`(${sql.join(own, sql`, `)}) in
    (select ${columnList(entity.keys)} from ${tableSql(table)} as t where ${keySql(entity, 't')} in (${keys}))`
}

/** Writes the staged records back that were changed. */
export async function writeStaged(tx: Db, entity: Entity, { table }: Entity): Promise<void> {
  if (!entity.isDistributed) return
  const names = await writableColumns(tx, entity.table)
  const changing = names.filter((name) => !entity.keys.includes(name))
  if (changing.length === 0) return
  const of = (alias: string, columns: readonly string[]) =>
    sql.join(
      columns.map((name) => sql`${sql.identifier(alias)}.${sql.identifier(name)}`),
      sql`, `,
    )
  const assignments = changing.map(
    (name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`,
  )
  await tx.execute(sql`insert into ${tableSql(entity.table)} (${columnList(names)}) overriding system value
    select ${of('s', names)} from ${tableSql(table)} as s join ${tableSql(BEFORE)} as b
      on (${of('s', entity.keys)}) = (${of('b', entity.keys)})
    where (${of('s', changing)}) is distinct from (${of('b', changing)})
    on conflict (${columnList(entity.keys)}) do update set ${sql.join(assignments, sql`, `)}`)
}

type Columns = { table: TableName; columns: readonly string[]; fields: readonly string[] }

/** A temporary copy of the `columns` of records on nodes that refer to `fields` of staged ones, the `at`-th of the transaction. */
export async function stageReferences(
  tx: Db,
  { table, columns, fields }: Columns,
  staged: Entity,
  at: number,
): Promise<TableName> {
  const copy = { schema: 'pg_temp', name: `engine_referring_${at}` }
  const list = columnList(columns)
  await tx.execute(sql`drop table if exists ${tableSql(copy)}`)
  await tx.execute(sql`create temp table ${tableSql(copy)} on commit drop as select distinct ${list} from ${tableSql(table)}
    where (${list}) in (select ${columnList(fields)} from ${tableSql(staged.table)})`)
  return copy
}

/** The columns of a table that are not computed. */
export async function writableColumns(tx: Db, { schema, name }: TableName): Promise<string[]> {
  const found = await rows<{ name: string }>(
    tx,
    sql`select attname as name from pg_attribute
      where attrelid = format('%I.%I', ${schema}::text, ${name}::text)::regclass
        and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
  )
  return found.map((column) => column.name)
}
