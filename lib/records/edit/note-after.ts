import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { trashRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { stringifyExactly } from '@/lib/values/exact-numbers'
import type { JsonObject } from '@/lib/values/json'
import { AFTER, type KeptEdit } from '../kept-edits'
import { pick } from '../read-fields'

/** Keeps what an edit made of the records, by which its undoing finds those that were changed since. */
export async function noteAfter(
  tx: Db,
  batchId: string,
  edits: readonly KeptEdit[],
  after: readonly JsonObject[],
): Promise<void> {
  const noted = edits.map(({ id }, at) => ({ id, after: after[at] ?? {} }))
  await tx.execute(
    sql`update ${trashRecords} as r set data = r.data || jsonb_build_object(${AFTER}::text, n.after)
      from json_to_recordset(${stringifyExactly(noted)}::text::json) as n(id bigint, after jsonb)
      where r.batch_id = ${batchId}::uuid and r.id = n.id`,
  )
}

/** Forgets those that an edit left as they were. */
export async function forgetUnchanged(
  tx: Db,
  batchId: string,
  edits: readonly KeptEdit[],
  after: readonly JsonObject[],
): Promise<void> {
  const same = edits.filter(({ before }, at) => {
    const now = after[at] ?? {}
    return isDeepStrictEqual(pick(before, Object.keys(now)), now)
  })
  if (same.length === 0) return
  const ids = JSON.stringify(same.map(({ id }) => id))
  await tx.execute(
    sql`delete from ${trashRecords} where batch_id = ${batchId}::uuid
      and id in (select value::bigint from json_array_elements_text(${ids}::text::json))`,
  )
}
