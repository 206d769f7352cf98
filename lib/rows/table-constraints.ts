import { sql } from 'drizzle-orm'
import { type Db, rows } from '@/lib/db/sql'
import type { Entity, StoredColumn, TableName } from '@/lib/definitions/definition'

export type UniqueConstraint = { isPrimary: boolean; columns: string[] }
export type ForeignKey = { columns: string[]; table: TableName; targets: string[]; isSelf: boolean }
export type TableConstraints = { unique: UniqueConstraint[]; foreign: ForeignKey[] }

/** The actual unique indexes over plain columns and foreign keys of the table. */
export async function readConstraints(db: Db, { table }: Entity): Promise<TableConstraints> {
  const unique = await rows<UniqueConstraint>(
    db,
    sql`select i.indisprimary as "isPrimary", ${columnNames('i.indrelid', 'i.indkey')} as columns
    from pg_index i where i.indrelid = ${oidOf(table)} and i.indisunique and i.indisvalid
      and i.indpred is null and i.indexprs is null
    order by i.indisprimary desc, i.indexrelid`,
  )
  const foreign = await rows<ForeignKey>(
    db,
    sql`select ${columnNames('c.conrelid', 'c.conkey')} as columns,
      ${columnNames('c.confrelid', 'c.confkey')} as targets,
      json_build_object('schema', n.nspname, 'name', r.relname) as table,
      c.confrelid = c.conrelid as "isSelf"
    from pg_constraint c join pg_class r on r.oid = c.confrelid
      join pg_namespace n on n.oid = r.relnamespace
    where c.contype = 'f' and c.conrelid = ${oidOf(table)} order by c.oid`,
  )
  return { unique, foreign }
}

export const oidOf = ({ schema, name }: TableName) =>
  sql`format('%I.%I', ${schema}::text, ${name}::text)::regclass`

const columnNames = (table: string, numbers: string) =>
  sql.raw(`(select json_agg(a.attname order by k.position)
    from unnest(${numbers}) with ordinality as k(number, position)
    join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number)`)

export type TableColumn = StoredColumn & {
  notNull: boolean
  /** The database generates it when it is missing. */
  generated: boolean
}

/** The current columns of a table, in order, including those of dropped properties. */
export const readColumns = (tx: Db, table: TableName): Promise<TableColumn[]> =>
  rows<TableColumn>(
    tx,
    sql`select attname as "name", format_type(atttypid, atttypmod) as "sqlType",
          attnotnull as "notNull", atthasdef or attidentity <> '' as "generated"
        from pg_attribute
        where attrelid = ${oidOf(table)} and attnum > 0 and not attisdropped order by attnum`,
  )
