import { type SQL, sql } from 'drizzle-orm'
import { forEachInTurns } from '@/lib/async/turns'
import { type Db, one, rows as rowsOf, tableSql } from '@/lib/db/sql'
import type { Entity, InsertDuplicate, TableName } from '@/lib/definitions/definition'
import type { Json } from '@/lib/values/json'
import { type Encode, jsonChunks, type PreparedRow } from './prepared-row'
import { INDEX_COLUMN, incoming, recordset, refersTo, sameKey, sameValues } from './record-columns'
import { tupleReader } from './record-key'
import type { ForeignKey, UniqueConstraint } from './table-constraints'

/** Index of each conflicting row; the earlier row's index where the conflict is inside the call. */
export type ConflictingRows = Map<number, number | null>

/**
 * Rows whose values for the columns of a unique constraint are taken, by a stored record or by an
 * earlier row. `onDuplicate` says which stored records the rows overwrite.
 */
export async function findTaken(
  db: Db,
  entity: Entity,
  rows: PreparedRow[],
  { columns, isPrimary }: UniqueConstraint,
  onDuplicate: InsertDuplicate | 'Update',
): Promise<ConflictingRows> {
  const found = await repeatedValues(entity, rows, columns)
  const isOther = isPrimary || onDuplicate === 'Error' ? sql`true` : sql`not (${sameKey(entity)})`
  const taken = sql`${sameValues(columns)} and ${isOther}`
  const skipped = onDuplicate === 'Ignore' ? await findStored(db, entity, rows) : new Set()
  for (const index of await matching(db, entity, rows, [...columns, ...entity.keys], taken))
    if (!found.has(index) && !skipped.has(index)) found.set(index, null)
  return found
}

/** Indexes of the rows whose keys are stored. */
export async function findStored(
  db: Db,
  entity: Entity,
  rows: PreparedRow[],
): Promise<Set<number>> {
  return matching(db, entity, rows, entity.keys, sameKey(entity))
}

/** Rows that refer to a record which is neither stored nor, in the entity itself, among the rows. */
export async function findUnresolved(
  db: Db,
  entity: Entity,
  rows: PreparedRow[],
  { columns, table, targets, isSelf }: ForeignKey,
): Promise<ConflictingRows> {
  const resolved = await matching(db, entity, rows, columns, refersTo(columns, targets), table)
  const indexes: number[] = []
  await forEachInTurns(rows, ({ index, values }) => {
    const isComplete = columns.every((column) => (values[column] ?? null) !== null)
    if (isComplete && !resolved.has(index)) indexes.push(index)
  })
  if (!isSelf) return new Map(indexes.map((index) => [index, null]))
  const targetOf = tupleReader(entity, targets)
  const referenceOf = tupleReader(entity, columns)
  const present = new Set<string | null>()
  const references = new Map<number, string | null>()
  await forEachInTurns(rows, ({ index, values }) => {
    present.add(targetOf(values))
    references.set(index, referenceOf(values))
  })
  const unresolved = indexes.filter((index) => !present.has(references.get(index) ?? null))
  return new Map(unresolved.map((index) => [index, null]))
}

async function repeatedValues(
  entity: Entity,
  rows: PreparedRow[],
  columns: string[],
): Promise<ConflictingRows> {
  const read = tupleReader(entity, columns)
  const first = new Map<string, number>()
  const repeated: ConflictingRows = new Map()
  await forEachInTurns(rows, ({ index, values }) => {
    const text = read(values)
    if (text === null) return
    const earlier = first.get(text)
    if (earlier === undefined) first.set(text, index)
    else repeated.set(index, earlier)
  })
  return repeated
}

/** Indexes of the rows to which a stored record of `table`, by default the entity's own, is related by `condition`. */
async function matching(
  db: Db,
  entity: Entity,
  rows: PreparedRow[],
  columns: string[],
  condition: SQL,
  table: TableName = entity.table,
): Promise<Set<number>> {
  const names = [...new Set(columns)]
  const indexes = new Set<number>()
  for (const { json } of jsonChunks(rows, encoderOf(names))) {
    const relation = recordset(entity, json, [INDEX_COLUMN, ...names])
    const found = await rowsOf<{ indexes: number[] | null }>(
      db,
      // A join: nodes of a cluster answer no subquery about rows that they don't have.
      sql`select json_agg(distinct ${incoming(INDEX_COLUMN)}) as indexes from ${tableSql(table)} as t, ${relation} where ${condition}`,
    )
    for (const index of one(found).indexes ?? []) indexes.add(index)
  }
  return indexes
}

function encoderOf(names: string[]): Encode {
  return ({ index, values }) => {
    const picked: [string, Json][] = names.map((name) => [name, values[name] ?? null])
    return JSON.stringify(Object.fromEntries([[INDEX_COLUMN, index], ...picked]))
  }
}
