import { type SQL, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import { rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { hasKeyOf, recordset } from '@/lib/rows/record-columns'

/**
 * A relation with the stored records that have the keys of the JSON rows, to be joined with what plugins gave. Of an entity on
 * the nodes of a cluster they are read first, as nodes take no part in statements that write to other tables.
 */
export async function storedRelation(db: Db, entity: Entity, json: string): Promise<SQL> {
  if (!entity.isDistributed) return tableSql(entity.table)
  return relationOf(
    db,
    entity,
    sql`${tableSql(entity.table)} as t, ${recordset(entity, json, entity.keys)} where ${hasKeyOf(entity, json)}`,
  )
}

/** The records that `source` selects as `t`, as a relation that only the coordinator has. */
async function relationOf(db: Db, { table }: Entity, source: SQL): Promise<SQL> {
  const found = await rows<{ record: string }>(
    db,
    sql`select row_to_json(t.*)::text as record from ${source}`,
  )
  const json = `[${found.map(({ record }) => record).join(',')}]`
  return sql`json_populate_recordset(null::${tableSql(table)}, ${json}::text::json)`
}
