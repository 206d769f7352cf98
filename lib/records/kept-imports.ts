import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { forEachInTurns } from '@/lib/async/turns'
import { trashRecords } from '@/lib/db/schema'
import { type Db, one, rows as rowsOf, tableSql, textArray } from '@/lib/db/sql'
import { AUDIT_FIELDS, type Entity } from '@/lib/definitions/definition'
import { targetOf } from '@/lib/registry/target'
import { jsonChunks, type PreparedRow } from '@/lib/rows/prepared-row'
import { columnList, hasKeyOf } from '@/lib/rows/record-columns'
import { keyRelation, keysJson, lockRecords, readRecords } from '@/lib/rows/select-records'
import { keyFields } from '@/lib/search/order'
import { recordJson } from '@/lib/search/record-json'
import { ID_FIELD } from '@/lib/search/resolve-field'
import type { OutputField } from '@/lib/search/resolved'
import { type Json, type JsonObject, stringifyExactly } from '@/lib/values/json'
import { AFTER, BEFORE } from './kept-edits'

/** Where an import keeps what it replaced. */
export type ImportKeep = {
  batchId: string
  /** Whether the number of rows that change nothing tells of nothing that is hidden: else these are kept, too. */
  forgetsUnchanged: boolean
}

/** The fields of an imported record that its undoing looks at: not those of its key, nor what the engine sets by itself. */
export function keptFields({ keys, properties, definition }: Entity): (name: string) => boolean {
  const computed = properties.filter(({ rules }) => rules.computed !== undefined)
  const others = new Set<string>([...keys, ...computed.map(({ name }) => name), ID_FIELD])
  if (definition.auditable) for (const name of AUDIT_FIELDS) others.add(name)
  return (name) => !others.has(name)
}

/** Keeps the keys of new records, with the values that an import gave them. */
export async function keepCreated(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  { batchId }: ImportKeep,
): Promise<void> {
  if (rows.length === 0) return
  const target = targetOf(entity)
  const key = keyFields(target).map((field): OutputField => ({ type: 'field', field }))
  const isKept = keptFields(entity)
  const left = [ID_FIELD, ...target.fields.map(({ name }) => name)].filter((name) => !isKept(name))
  const json = keysJson(entity, rows)
  const data = sql`(${recordJson(target, key)})::jsonb || jsonb_build_object(${BEFORE}::text, null::jsonb,
    ${AFTER}::text, (${recordJson(target, null)})::jsonb - ${textArray(left)})`
  await tx.execute(
    sql`with "$found" as materialized (select ${data} as data from (select t.* from ${tableSql(entity.table)} as t
        join ${keyRelation(entity, json)} on ${hasKeyOf(entity, json)}) as "$new" order by ${columnList(entity.keys)})
      insert into ${trashRecords} (batch_id, data) select ${batchId}::uuid, data from "$found"`,
  )
}

/** Keeps what `write` replaces in the stored records of rows, which are locked before: of each field that it changed both values. */
export async function keepChanged<Result>(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  keep: ImportKeep,
  write: () => Promise<Result>,
): Promise<Result> {
  const missing = new Set(await lockRecords(tx, entity, rows))
  const stored = rows.filter((row) => !missing.has(row))
  const before = await readRecords(tx, entity, stored)
  const result = await write()
  const after = await readRecords(tx, entity, stored)
  const changes: JsonObject[] = []
  const isKept = keptFields(entity)
  await forEachInTurns(stored, (row, at) => {
    const [old = {}, now = {}] = [before[at], after[at]]
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(isKept)
    const differing = names.filter(
      (name) => !isDeepStrictEqual(old[name] ?? null, now[name] ?? null),
    )
    const sent = [...Object.keys(row.values), ...Object.keys(row.extra ?? {})].filter(isKept)
    const shown = keep.forgetsUnchanged ? differing : [...new Set([...differing, ...sent])]
    if (shown.length > 0) changes.push(changeOf(entity, old, now, shown))
  })
  await addAll(tx, keep.batchId, changes)
  return result
}

function changeOf(
  { keys }: Entity,
  old: JsonObject,
  now: JsonObject,
  names: readonly string[],
): JsonObject {
  const of = (record: JsonObject, some: readonly string[]) =>
    Object.fromEntries(some.map((name): [string, Json] => [name, record[name] ?? null]))
  return { ...of(now, keys), [BEFORE]: of(old, names), [AFTER]: of(now, names) }
}

async function addAll(tx: Db, batchId: string, changes: readonly JsonObject[]): Promise<void> {
  const list = changes.map((values, index): PreparedRow => ({ index, values, extra: null }))
  for (const { json } of jsonChunks(list, ({ values }) => stringifyExactly(values)))
    await tx.execute(
      sql`insert into ${trashRecords} (batch_id, data)
        select ${batchId}::uuid, value::jsonb from json_array_elements(${json}::text::json)`,
    )
}

/** How many records of an import are kept, and how many of them it created. */
export async function countKept(
  tx: Db,
  { batchId }: ImportKeep,
): Promise<{ count: number; created: number }> {
  const isNew = sql`data -> ${BEFORE}::text = 'null'::jsonb`
  const found = await rowsOf<{ count: number; created: number }>(
    tx,
    sql`select count(*)::int as count, (count(*) filter (where ${isNew}))::int as created
      from ${trashRecords} where batch_id = ${batchId}::uuid`,
  )
  return one(found)
}
