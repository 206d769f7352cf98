import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { type Db, rows, tableSql } from '@/lib/db/sql'
import type { TableName } from '@/lib/definitions/definition'
import { relationSql } from '@/lib/totals/keep-total'
import { addGenerated, dropGenerated, sequenceName } from '../ddl/generated-sql'

/** Replaces identities, with which Citus moves no table, by sequences that continue their counts. */
export async function countBySequence(tx: Db, table: TableName): Promise<void> {
  const found = await rows<{ name: string; sqlType: string }>(
    tx,
    sql`select attname as name, format_type(atttypid, null) as "sqlType" from pg_attribute
        where attrelid = ${relationSql(table)} and attidentity <> ''`,
  )
  for (const column of found) {
    const { name } = column
    const dropped = dropGenerated({
      type: 'drop-generated',
      table,
      column: name,
      generated: 'identity',
    })
    const added = addGenerated({
      type: 'add-generated',
      table,
      column,
      generated: 'sequence',
      counted: true,
    })
    for (const statement of [...dropped, ...added]) await tx.execute(statement)
  }
}

/**
 * Gives the counters of a table that is about to be moved to nodes names that no other ever has: Citus makes them there outside
 * of the transaction, where one of the same name that this transaction drops is still in the way.
 */
export async function nameCounters(tx: Db, table: TableName): Promise<void> {
  const found = await rows<{ name: string; column: string }>(
    tx,
    sql`select relname as name, attname as column from pg_depend d
        join pg_class c on c.oid = objid and relkind = 'S'
        join pg_attribute a on attrelid = refobjid and attnum = refobjsubid
        where d.classid = 'pg_class'::regclass and deptype = 'a' and refobjid = ${relationSql(table)}`,
  )
  for (const { name, column } of found) {
    if (name !== sequenceName(table, column).name) continue
    const unique = `${name.slice(0, 54)}_${randomUUID().slice(0, 8)}`
    const counter = tableSql({ schema: table.schema, name })
    await tx.execute(sql`alter sequence ${counter} rename to ${sql.identifier(unique)}`)
  }
}
