import { type SQL, sql } from 'drizzle-orm'
import { trashBatches, trashRecords } from '@/lib/db/schema'
import { decodeComposite } from '@/lib/records/record-where'
import { stringifyExactly } from '@/lib/values/json'

/** Whether a batch holds the record with this `persistenceId`; such records are looked for one by one in larger batches. */
export function holdsRecord(id: string): SQL {
  const { keys, id: batchId } = trashBatches
  const parts = decodeComposite(id)
  const isIt = sql`jsonb_array_length(${keys}) = 1 and ${trashRecords.data} ->> (${keys} ->> 0) = ${id}`
  const either = parts
    ? sql`(${isIt} or jsonb_array_length(${keys}) = ${Object.keys(parts).length}
        and ${trashRecords.data} @> ${stringifyExactly(parts)}::text::jsonb)`
    : isIt
  return sql`exists (select from ${trashRecords} where ${trashRecords.batchId} = ${batchId} and ${either})`
}
