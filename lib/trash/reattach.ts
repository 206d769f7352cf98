import { eq, sql } from 'drizzle-orm'
import { type Actor, requireRight } from '@/lib/auth/rights'
import { affectedRows } from '@/lib/db/affected-rows'
import { tableSql } from '@/lib/db/identifiers'
import { type TrashBatchRow, trashBatches, trashRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { mergeEntity } from '@/lib/registry/merge-entity'
import { entitiesNamed } from '@/lib/registry/registry-rows'
import { pairsOf } from '@/lib/tables/reference-fields'
import type { Restored } from './restore-batch'

/**
 * Gives records the references back that a deletion emptied, where these are still empty and their targets
 * have returned. Others have been changed since, and stay as they are. Throws `forbidden`.
 */
export async function reattach(
  tx: Db,
  { id, entity: name, columns }: TrashBatchRow,
  field: string,
  actor: Actor,
): Promise<Restored> {
  requireRight(actor, { entity: name, action: 'update' })
  const [found] = await entitiesNamed(tx, [name])
  const entity = found && mergeEntity(found.row, found.schema)
  const reference = entity?.properties.find((one) => one.name === field)?.rules.reference
  const [target] = reference ? await entitiesNamed(tx, [reference.entity]) : []
  let restored = 0
  if (entity && reference && target) {
    const types = columns.map((one) => sql`${sql.identifier(one.name)} ${sql.raw(one.sqlType)}`)
    const column = sql.identifier(field)
    const keys = entity.keys.map(
      (key) => sql`t.${sql.identifier(key)} = old.${sql.identifier(key)}`,
    )
    const { columns: own, fields } = pairsOf(field, reference)
    const matches = own.map((name, at) => {
      const value = sql`${sql.raw(name === field ? 'old' : 't')}.${sql.identifier(name)}`
      return sql`target.${sql.identifier(fields[at] ?? '')} = ${value}`
    })
    const to = tableSql({ schema: target.row.tableSchema, name: target.row.tableName })
    restored = await affectedRows(
      tx,
      sql`update ${tableSql(entity.table)} as t set ${column} = old.${column}
          from ${trashRecords} as r cross join lateral jsonb_to_record(r.data) as old(${sql.join(types, sql`, `)})
          where r.batch_id = ${id}::uuid and ${sql.join(keys, sql` and `)} and t.${column} is null
            and exists (select from ${to} as target where ${sql.join(matches, sql` and `)})`,
    )
  }
  await tx.delete(trashRecords).where(eq(trashRecords.batchId, id))
  await tx.delete(trashBatches).where(eq(trashBatches.id, id))
  return { restored, conflicts: [], conflictCount: 0 }
}
