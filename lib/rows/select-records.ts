import { type SQL, sql } from 'drizzle-orm'
import { sha256 } from '@/lib/crypto/sha256'
import { type Db, one, rows as rowsOf, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { KINDS } from '@/lib/kinds/kinds'
import { type SearchTarget, targetOf } from '@/lib/registry/target'
import { recordJson } from '@/lib/search/record-json'
import { type JsonObject, parseJson } from '@/lib/values/json'
import { encodeAll, type PreparedRow } from './prepared-row'
import { hasKeyOf, INDEX_COLUMN, recordset } from './record-columns'

/** A record as searches return it, as JSON text, and the parts of its key as text. */
export type StoredRecord = { json: string; keys: string[] }

/** The record that matches `where`, or null. `lock` prevents changes by others until the commit. */
export async function selectRecord(
  db: Db,
  target: SearchTarget,
  where: SQL,
  { lock }: { lock: boolean },
): Promise<StoredRecord | null> {
  const locks = lock && canLock(target)
  if (lock && !locks) await takeTurn(db, target)
  const [found] = await rowsOf<StoredRecord>(
    db,
    sql`select ${recordJson(target, null)} as json, ${keyTexts(target)} as keys
      from ${tableSql(target.table)} where ${where} ${locks ? sql`for update` : sql``}`,
  )
  return found ?? null
}

/** Only one node of a cluster can lock for a statement, and it is not known of keys whose text depends on settings. */
const canLock = ({ isDistributed, keys, fields }: SearchTarget): boolean =>
  !isDistributed ||
  keys.every(
    (key) => !fields.some(({ name, kind }) => name === key && KINDS[kind].dependsOnSettings),
  )

const keyTexts = ({ keys, fields }: SearchTarget): SQL => {
  const columns = keys.map((key) => {
    const field = fields.find(({ name }) => name === key)
    return field?.expression
      ? sql.raw(`(${field.expression})`)
      : sql.identifier(field?.column ?? key)
  })
  return sql`json_build_array(${sql.join(
    columns.map((column) => sql`${column}::text`),
    sql`, `,
  )})`
}

/** The records with the keys of the rows, as the JSON text of a list, in the order of the rows. */
export async function selectRecords(db: Db, entity: Entity, rows: PreparedRow[]): Promise<string> {
  const json = keysJson(entity, rows)
  const found = await rowsOf<{ data: string }>(
    db,
    sql`select '[' || coalesce(string_agg(${recordJson(targetOf(entity), null)}, ',' order by ${POSITION}), '') || ']' as data
      from (
        select t.*, n.${POSITION} from ${tableSql(entity.table)} as t
        join ${keyRelation(entity, json)} on ${hasKeyOf(entity, json)}
      ) as "$found"`,
  )
  return one(found).data
}

export const POSITION = sql.identifier(INDEX_COLUMN)

/**
 * Locks the stored records of rows, in the order of their keys; returns the rows without one. Records on the nodes of a
 * cluster are not locked: only one node can lock for a statement.
 */
export async function lockRecords(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
): Promise<PreparedRow[]> {
  const order = entity.keys.map((key) => sql`t.${sql.identifier(key)}`)
  const json = keysJson(entity, rows)
  const found = await rowsOf<{ position: number }>(
    tx,
    sql`select n.${POSITION} as position from ${tableSql(entity.table)} as t
      join ${keyRelation(entity, json)} on ${hasKeyOf(entity, json)}
      order by ${sql.join(order, sql`, `)} ${entity.isDistributed ? sql`` : sql`for update of t`}`,
  )
  const stored = new Set(found.map(({ position }) => position))
  return rows.filter(({ index }) => !stored.has(index))
}

export const keyRelation = (entity: Entity, json: string): SQL =>
  recordset(entity, json, [INDEX_COLUMN, ...entity.keys])

export function keysJson({ keys }: Entity, rows: PreparedRow[]): string {
  const encode = ({ index, values }: PreparedRow) =>
    JSON.stringify(
      Object.fromEntries([[INDEX_COLUMN, index], ...keys.map((key) => [key, values[key] ?? null])]),
    )
  return encodeAll(rows, encode)
}

/** A strong validator: equal for equal JSON, RFC 9110 §8.8.3. */
export const etagOf = (json: string): string => `"${sha256(json, 'base64url')}"`

/** The first number of an advisory lock; `SERVER_LOCKS` has others. */
const TURNS = 7_366

/**
 * Makes a transaction that overwrites many records of an entity on the nodes of a cluster wait for others that do: they
 * can't lock the records in one order, so they would wait for each other. Others change single records meanwhile.
 */
export async function takeTurn(
  tx: Db,
  { isDistributed, table }: Pick<Entity, 'isDistributed' | 'table'>,
): Promise<void> {
  if (!isDistributed) return
  const name = `${table.schema}.${table.name}`
  await tx.execute(sql`select pg_advisory_xact_lock(${TURNS}::int, hashtext(${name}))`)
}

/** The stored records of rows as they are shown, in the order of the rows; those that are no longer stored are left out. */
export async function readRecords(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
): Promise<JsonObject[]> {
  return parseJson(await selectRecords(tx, entity, rows), { exactly: true }) as JsonObject[]
}

/** The fields of a record; those that it lacks are null. */
export const pick = (record: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(fields.map((name) => [name, record[name] ?? null]))
