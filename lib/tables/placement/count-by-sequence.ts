import { sql } from 'drizzle-orm'
import { rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { TableName } from '@/lib/definitions/definition'
import { relationSql } from '@/lib/totals/keep-total'
import { addGenerated, dropGenerated } from '../ddl/generated-sql'

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
