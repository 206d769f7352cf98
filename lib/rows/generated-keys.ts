import { randomUUID } from 'node:crypto'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { forEachInTurns } from '@/lib/async/turns'
import { type Db, one, rows, rows as rowsOf, tableSql } from '@/lib/db/sql'
import type { Entity, TableName } from '@/lib/definitions/definition'
import { isTextKind, isWholeKind } from '@/lib/kinds/kind'
import type { Json } from '@/lib/values/json'
import { fieldsIn, PackedRow, type PreparedRow, repacker } from './prepared-row'

/**
 * Rows with every part of their key. A missing generated part becomes a UUID, or a number reserved
 * from the column's sequence, which is first moved past the numbers given. Numbers reserved
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
    const positions = await positionsLacking(complete, key)
    if (strategy === 'AutoIncrement')
      await passSequence(tx, table, key, await greatestOf(complete, key))
    const generate = (count: number): Json[] | Promise<Json[]> =>
      strategy === 'UUID'
        ? Array.from({ length: count }, () => randomUUID())
        : reserve(tx, entity, key, count).then((at) =>
            Array.from({ length: count }, (_, n) => at(n)),
          )
    if (positions.length > 0) complete = await fill(entity, complete, key, positions, generate)
  }
  return complete
}

/** Positions of the rows without a value for `key`. */
async function positionsLacking(rows: PreparedRow[], key: string): Promise<number[]> {
  const positions: number[] = []
  await forEachInTurns(rows, (row, at) => {
    if (lacks(row, key)) positions.push(at)
  })
  return positions
}

/** For a packed row this is mostly known without parsing it. */
const lacks = (row: PreparedRow, key: string): boolean =>
  row instanceof PackedRow && (row.key !== null || !row.fields.includes(key))
    ? row.key === null
    : (row.values[key] ?? null) === null

/** The most keys made without a pause: two million would delay other requests. */
const MADE_AT_ONCE = 10_000

async function fill(
  entity: Entity,
  rows: PreparedRow[],
  key: string,
  positions: readonly number[],
  generate: (count: number) => Json[] | Promise<Json[]>,
): Promise<PreparedRow[]> {
  const repack = repacker(entity)
  const filled = [...rows]
  for (let from = 0; from < positions.length; from += MADE_AT_ONCE) {
    const batch = positions.slice(from, from + MADE_AT_ONCE)
    const generated = await generate(batch.length)
    await forEachInTurns(batch, (position, at) => {
      const row = filled[position]
      if (!row) return
      const values = { ...row.values, [key]: generated[at] ?? null }
      filled[position] = repack(row, { index: row.index, values, extra: row.extra })
    })
  }
  return filled
}

const sequenceOf = ({ schema, name }: TableName, key: string) =>
  sql`pg_get_serial_sequence(format('%I.%I', ${schema}::text, ${name}::text), ${key}::text)::regclass`

/** Numbers by their positions. */
type Numbers = (at: number) => string

/**
 * The next numbers of a key's sequence, by their positions. Where records with such numbers are stored, which somebody wrote past
 * the engine, they are passed first.
 */
export async function reserve(
  tx: Db,
  entity: Entity,
  key: string,
  count: number,
): Promise<(at: number) => string | number> {
  const isText = entity.properties.some(({ name, kind }) => name === key && isTextKind(kind))
  const isFound = !isText && entity.keys[0] === key
  const drawn = await draw(tx, entity, key, count, isFound ? greatestStored(entity, key) : NONE)
  const taken = takenFrom(drawn)
  if (taken !== null) await passSequence(tx, entity.table, key, taken)
  const free = (taken === null ? drawn : await draw(tx, entity, key, count, NONE)).numberAt
  return (at) => {
    const text = free(at)
    // A given number may have moved the counter beyond what a double holds.
    return isText || !Number.isSafeInteger(Number(text)) ? text : Number(text)
  }
}

type DrawnRow = { first: string; last: string; others: string[] | null; stored: string | null }
type Drawn = { numberAt: Numbers; stored: string | null }

/** Also what is `stored`, in the same statement. Sends a list only where other requests have drawn in between. */
async function draw(
  tx: Db,
  { table }: Entity,
  key: string,
  count: number,
  stored: SQL,
): Promise<Drawn> {
  const found = await rowsOf<DrawnRow>(
    tx,
    // The sequence is looked up once: in the list of the outer query it would be for each number.
    sql`select min(n)::text as first, max(n)::text as last,
        case when max(n) - min(n) >= count(n) then json_agg(n::text order by n) end as others,
        (${stored})::text as stored
      from (select nextval(s.sequence) as n from (select ${sequenceOf(table, key)} as sequence offset 0) as s,
        generate_series(1, ${count}::int) offset 0) as drawn`,
  )
  const row = one(found)
  return { numberAt: numbersOf(row), stored: row.stored }
}

function numbersOf({ first, last, others }: DrawnRow): Numbers {
  if (others) return (at) => others[at] ?? ''
  const from = Number(first)
  if (Number.isSafeInteger(Number(last))) return (at) => String(from + at)
  return (at) => String(BigInt(first) + BigInt(at))
}

/** The greatest number stored, by the key's index: without a condition, which could not be answered from its end. */
const greatestStored = ({ table }: Entity, key: string): SQL =>
  sql`select floor(max(${sql.identifier(key)})::numeric) from ${tableSql(table)}`
const NONE = sql`null`

/** The greatest number stored, if it is not less than the first one drawn and others follow it; else null. */
function takenFrom({ numberAt, stored }: Drawn): bigint | null {
  const greatest = Number(stored ?? 0)
  // Neither holds for NaN, which a column of doubles may have.
  const isTaken = greatest >= Number(numberAt(0)) && greatest < Number.MAX_SAFE_INTEGER
  return isTaken ? BigInt(greatest) : null
}

const MAX_STEPS = 100_000

export async function passSequence(
  tx: Db,
  table: TableName,
  key: string,
  greatest: bigint,
): Promise<void> {
  if (greatest > 0n) await tx.execute(passSequenceSql(table, key, String(greatest)))
}

/**
 * Moves a key's sequence past `greatest`. Between reading a sequence and setting it, concurrent
 * statements may take numbers, so a short distance is covered by taking numbers too; they can't take
 * so many in between that `setval` would move the sequence back.
 */
export const passSequenceSql = (
  table: TableName,
  key: string,
  greatest: string | SQLWrapper,
): SQL => sql`
    with state as (
      select ${sequenceOf(table, key)} as sequence, ${greatest}::bigint as greatest
    ), gap as (
      select sequence, greatest, greatest - coalesce(pg_sequence_last_value(sequence), 0) as size from state
    )
    select case
      when size > ${MAX_STEPS}::bigint then setval(sequence, greatest)
      else (select max(nextval(sequence) + 0 * step) from generate_series(1, size) as step)
    end from gap where size > 0`

/** The greatest whole number among the values of a key. */
export async function greatestOf(rows: readonly PreparedRow[], key: string): Promise<bigint> {
  const greatest = greatestNumber()
  await forEachInTurns(rows, (row) => {
    if (fieldsIn(row).includes(key)) greatest.add(row.values[key])
  })
  return greatest.get()
}

const MAX_BIGINT = 2n ** 63n - 1n

/** The greatest whole number among values; a counter of type text may hold any text. */
export function greatestNumber() {
  let number = 0
  let long = 0n
  return {
    add(value: Json | undefined): void {
      if (typeof value === 'number') {
        if (value > number && Number.isSafeInteger(value)) number = value
      } else if (typeof value === 'string' && /^\+?\d{1,19}$/.test(value)) {
        const large = BigInt(value.replace('+', ''))
        if (large > long && large <= MAX_BIGINT) long = large
      }
    },
    /** 0 when there is none. */
    get: (): bigint => (BigInt(number) > long ? BigInt(number) : long),
  }
}

/** Moves the counters of an entity's keys past those of the rows `n` in `from`, of the keys that these have. */
export async function passCounters(
  tx: Db,
  { definition, properties, table }: Entity,
  from: SQL,
  hasColumn: (key: string) => boolean,
): Promise<void> {
  for (const { key, strategy } of definition.keys) {
    if (strategy !== 'AutoIncrement' || !hasColumn(key)) continue
    const isInteger = properties.some(({ name, kind }) => name === key && isWholeKind(kind))
    const found = await rows<{ greatest: string }>(
      tx,
      sql`select coalesce(${isInteger ? greatestInteger(key) : greatestNumeral(key)}, 0)::text as greatest from ${from}`,
    )
    await passSequence(tx, table, key, BigInt(one(found).greatest))
  }
}

/** Read from the end of the key's index, if there is one. */
const greatestInteger = (key: string): SQL => sql`max(n.${sql.identifier(key)})`

/** Of texts and other numbers, whole ones that a counter can reach. */
function greatestNumeral(key: string): SQL {
  const text = sql`n.${sql.identifier(key)}::text`
  const number = sql`case when ${text} ~ '^[+]?[0-9]{1,19}$' then ${text}::numeric end`
  return sql`max(${number}) filter (where ${number} < 9223372036854775808)`
}
