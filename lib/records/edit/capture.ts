import { type SQL, sql } from 'drizzle-orm'
import { affectedRows } from '@/lib/db/affected-rows'
import { tableSql } from '@/lib/db/identifiers'
import { trashRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { type Entity, EXTRA_COLUMN } from '@/lib/definitions/definition'
import { targetOf } from '@/lib/registry/target'
import { keyFields } from '@/lib/search/order'
import { recordJson } from '@/lib/search/record-json'
import type { OutputField } from '@/lib/search/resolved'
import { BEFORE } from '../kept-edits'
import { columnList } from '../record-columns'

/**
 * Keeps the keys of the records that match, and the values of `fields`, in the trash, and locks the records until the
 * commit, in the order of their keys; on nodes of a cluster nothing is locked. Returns their number.
 */
export async function captureMatches(
  tx: Db,
  entity: Entity,
  { where, fields, batchId }: { where: SQL; fields: readonly string[]; batchId: string },
): Promise<number> {
  const target = targetOf(entity)
  const key = keyFields(target).map((field): OutputField => ({ type: 'field', field }))
  const data = sql`(${recordJson(target, key)})::jsonb ||
    jsonb_build_object(${BEFORE}::text, (${recordJson(target, outputOf(entity, fields))})::jsonb)`
  return affectedRows(
    tx,
    sql`insert into ${trashRecords} (batch_id, data)
      select ${batchId}::uuid, ${data} from ${tableSql(entity.table)} where ${where}
      order by ${columnList(entity.keys)} ${entity.isDistributed ? sql`` : sql`for update`}`,
  )
}

/** The fields as records show them, also undeclared ones that no record has. */
function outputOf(entity: Entity, names: readonly string[]): OutputField[] {
  const { fields } = targetOf(entity)
  return names.map((name) => {
    const field = fields.find((one) => one.name === name)
    if (field) return { type: 'field', field: { ...field, path: [] } }
    const extra = {
      name,
      column: EXTRA_COLUMN,
      path: [name],
      kind: 'json',
      nullable: true,
    } as const
    return { type: 'field', field: { ...extra, path: [name] } }
  })
}
