import { sql } from 'drizzle-orm'
import { rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { StoredColumn, TableName } from '@/lib/definitions/definition'
import { oidOf } from './table-constraints'

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
