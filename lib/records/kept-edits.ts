import { isDeepStrictEqual } from 'node:util'
import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import { trashRecords } from '@/lib/db/schema'
import { affectedRows, type Db, tableSql } from '@/lib/db/sql'
import { type Entity, EXTRA_COLUMN } from '@/lib/definitions/definition'
import { targetOf } from '@/lib/registry/target'
import { columnList } from '@/lib/rows/record-columns'
import { pick } from '@/lib/rows/select-records'
import { keyFields } from '@/lib/search/order'
import { recordJson } from '@/lib/search/record-json'
import type { OutputField } from '@/lib/search/resolved'
import { isObject, type JsonObject, parseJson, stringifyExactly } from '@/lib/values/json'

/** What the trash holds of a record that was edited, besides the fields of its key: values of fields. */
export const BEFORE = '$before'
export const AFTER = '$after'

/** A record of an edit or an import: its key, and the values of the fields before and after; none before of one that an import created. */
export type KeptEdit = { id: number; key: JsonObject; before: JsonObject; after: JsonObject }

/** The records that are read and changed at once: memory is for so many. */
const CHUNK = 2_000

/** Of the records of an import, those that it created, or those that it changed. */
export const isCreated = sql`${trashRecords.data} -> ${BEFORE}::text = 'null'::jsonb`
export const isChanged = sql`${trashRecords.data} -> ${BEFORE}::text <> 'null'::jsonb`

/** The records of an edit or an import that have no known problem, in the order in which they were kept; `which`: only some. */
export async function* keptEdits(
  tx: Db,
  batchId: string,
  keys: readonly string[],
  which?: SQL,
): AsyncGenerator<KeptEdit[]> {
  for (let after = 0, size = CHUNK; size === CHUNK; ) {
    const found = await tx
      .select({ id: trashRecords.id, data: sql<string>`${trashRecords.data}::text` })
      .from(trashRecords)
      .where(
        and(
          eq(trashRecords.batchId, batchId),
          gt(trashRecords.id, after),
          isNull(trashRecords.problem),
          which,
        ),
      )
      .orderBy(trashRecords.id)
      .limit(CHUNK)
    size = found.length
    after = found.at(-1)?.id ?? after
    if (size > 0) yield found.map(({ id, data }) => toEdit(id, data, keys))
  }
}

function toEdit(id: number, text: string, keys: readonly string[]): KeptEdit {
  const data = parseJson(text, { exactly: true }) as JsonObject
  const part = (name: string): JsonObject => {
    const found = data[name]
    return isObject(found) ? found : {}
  }
  const key = Object.fromEntries(keys.map((name) => [name, data[name] ?? null]))
  return { id, key, before: part(BEFORE), after: part(AFTER) }
}

/**
 * Keeps the keys of the records that match, and the values of `fields`, in the trash, and locks the records until the
 * commit, in the order of their keys; on nodes of a cluster nothing is locked. Returns their number. A cluster refuses conditions
 * with subqueries, and locks, beside the insertion: they are found by a statement of their own.
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
    sql`with "$found" as materialized (select ${data} as data from ${tableSql(entity.table)} where ${where}
        order by ${columnList(entity.keys)} ${entity.isDistributed ? sql`` : sql`for update`})
      insert into ${trashRecords} (batch_id, data) select ${batchId}::uuid, data from "$found"`,
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

/** Keeps what an edit made of the records, by which its undoing finds those that were changed since. */
export async function recordAfter(
  tx: Db,
  batchId: string,
  edits: readonly KeptEdit[],
  after: readonly JsonObject[],
): Promise<void> {
  const states = edits.map(({ id }, at) => ({ id, after: after[at] ?? {} }))
  await tx.execute(
    sql`update ${trashRecords} as r set data = r.data || jsonb_build_object(${AFTER}::text, n.after)
      from json_to_recordset(${stringifyExactly(states)}::text::json) as n(id bigint, after jsonb)
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
