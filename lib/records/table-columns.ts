import { sql } from 'drizzle-orm'
import { rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { StoredColumn, TableName } from '@/lib/definitions/definition'
import { oidOf } from './table-constraints'

export type TableColumn = StoredColumn & {
  notNull: boolean
  /** The database fills it in when it is left out. */
  generated: boolean
}

/** The columns that a table has at this moment, in order, those of dropped properties included. */
export const readColumns = (tx: Db, table: TableName): Promise<TableColumn[]> =>
  rows<TableColumn>(
    tx,
    sql`select attname as "name", format_type(atttypid, atttypmod) as "sqlType",
          attnotnull as "notNull", atthasdef or attidentity <> '' as "generated"
        from pg_attribute
        where attrelid = ${oidOf(table)} and attnum > 0 and not attisdropped order by attnum`,
  )
