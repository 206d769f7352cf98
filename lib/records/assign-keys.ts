import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { one, rows as rowsOf } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity, TableName } from '@/lib/definitions/definition'
import type { Json } from '@/lib/values/json'
import { givenBy, PackedRow, repacker } from './packed-row'
import type { PreparedRow } from './prepared-row'

/**
 * Rows with every part of their key. Where a generated part is missing, a UUID is made, or numbers are
 * reserved from the column's sequence, which is first put past the numbers given. Numbers reserved
 * for a transaction that fails are lost.
 */
export async function assignKeys(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
): Promise<PreparedRow[]> {
  const { definition, table } = entity
  let complete = rows
  for (const { key, strategy } of definition.keys) {
    if (strategy === 'Fixed') continue
    const missing = complete.filter(lacks(key))
    if (strategy === 'AutoIncrement') await passSequence(tx, table, key, greatestOf(complete, key))
    if (missing.length === 0) continue
    const generated: Json[] =
      strategy === 'UUID'
        ? missing.map(() => randomUUID())
        : await reserve(tx, entity, key, missing.length)
    complete = fill(entity, complete, key, generated)
  }
  return complete
}

const lacks =
  (key: string) =>
  (row: PreparedRow): boolean =>
    keyIsComplete(row) ? false : (row.values[key] ?? null) === null

/** Of a packed row that is known without reading it. */
const keyIsComplete = (row: PreparedRow) => row instanceof PackedRow && row.key !== null

function fill(entity: Entity, rows: PreparedRow[], key: string, generated: Json[]): PreparedRow[] {
  const repack = repacker(entity)
  const isLacking = lacks(key)
  let next = 0
  return rows.map((row) => {
    if (!isLacking(row)) return row
    const values = { ...row.values, [key]: generated[next++] as Json }
    return repack(row, { index: row.index, values, extra: row.extra })
  })
}

const sequenceOf = ({ schema, name }: TableName, key: string) =>
  sql`pg_get_serial_sequence(format('%I.%I', ${schema}::text, ${name}::text), ${key}::text)::regclass`

async function reserve(
  tx: Db,
  { table, properties }: Entity,
  key: string,
  count: number,
): Promise<Json[]> {
  const found = await rowsOf<{ keys: string[] }>(
    tx,
    sql`select json_agg(nextval(${sequenceOf(table, key)})::text) as keys from generate_series(1, ${count}::int)`,
  )
  const isText = properties.some(({ name, kind }) => name === key && kind === 'text')
  // A number given may have put the counter beyond what a double holds.
  return one(found).keys.map((text) =>
    isText || !Number.isSafeInteger(Number(text)) ? text : Number(text),
  )
}

const MAX_STEPS = 100_000

/**
 * Makes a key's sequence go on after `greatest`. Between reading a sequence and setting it others may
 * go on taking numbers, so a short way is gone by taking numbers too. Nobody takes so many in between
 * that `setval` would lead back.
 */
export async function passSequence(
  tx: Db,
  table: TableName,
  key: string,
  greatest: bigint,
): Promise<void> {
  if (greatest === 0n) return
  await tx.execute(sql`
    with state as (
      select ${sequenceOf(table, key)} as sequence, ${String(greatest)}::bigint as greatest
    ), gap as (
      select sequence, greatest, greatest - coalesce(pg_sequence_last_value(sequence), 0) as size from state
    )
    select case
      when size > ${MAX_STEPS}::bigint then setval(sequence, greatest)
      else (select max(nextval(sequence) + 0 * step) from generate_series(1, size) as step)
    end from gap where size > 0`)
}

/** Of the whole numbers among the values of a key, which for a counter that is text may be any text. */
function greatestOf(rows: PreparedRow[], key: string): bigint {
  let greatest = 0n
  for (const row of rows) {
    if (!givenBy(row).includes(key)) continue
    const text = String(row.values[key] ?? '')
    if (!/^\+?\d{1,19}$/.test(text)) continue
    const number = BigInt(text.replace('+', ''))
    if (number > greatest && number <= MAX_BIGINT) greatest = number
  }
  return greatest
}

const MAX_BIGINT = 2n ** 63n - 1n
