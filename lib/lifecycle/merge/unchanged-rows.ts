import { type SQL, sql } from 'drizzle-orm'
import { readAndRelease } from '@/lib/db/read-and-release'
import { type Db, one, rows, rows as rowsOf, tableSql, textArray } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { isTextKind, isWholeKind } from '@/lib/kinds/kind'
import { defaultsOf } from '@/lib/rows/compiled-entity'
import { flatEncoder, jsonChunks, keyReader, type PreparedRow } from '@/lib/rows/prepared-row'
import { checkedProperties } from '@/lib/rows/record-schema'
import type { Json, JsonObject } from '@/lib/values/json'
import { type Origin, rememberedSql } from '../base/record-sql'

type Divided = {
  /** Given as the file gave them last, and stored: whatever was edited here, nothing is to be done. */
  same: PreparedRow[]
  /** The others, and any in doubt. */
  changed: PreparedRow[]
}

/**
 * Divides rows with complete and different keys, none of them generated, by what the file gave last. Most rows of a new version are as
 * before, so this only reads one row of `plugin_records` for each, and looks up its key in the table.
 */
export async function divideRows(
  tx: Db,
  entity: Entity,
  origin: Origin,
  rows: readonly PreparedRow[],
): Promise<Divided> {
  const key = plainKey(entity)
  if (key === null) return { same: [], changed: [...rows] }
  const divided: Divided = { same: [], changed: [] }
  for (const chunk of jsonChunks(rows, flatEncoder(missingFields(entity)))) {
    const found = await rowsOf<{ places: number[] }>(
      tx,
      changedPlaces(entity, origin, key, chunk.json),
    )
    const places = new Set(one(found).places)
    const asBefore = chunk.rows.filter((_, at) => !places.has(at + 1))
    const isMissing = await missingOf(tx, entity, origin, key, asBefore)
    for (const [at, row] of chunk.rows.entries())
      (places.has(at + 1) || isMissing(row) ? divided.changed : divided.same).push(row)
  }
  return divided
}

/** Returns a function that tells which of the rows have a key that no record has. */
async function missingOf(
  tx: Db,
  entity: Entity,
  origin: Origin,
  key: string,
  rows: readonly PreparedRow[],
) {
  const readKey = keyReader(entity)
  const keyOf = (row: PreparedRow) => readKey(row) ?? ''
  const missing = await missingKeys(tx, entity, origin, key, rows.map(keyOf))
  return (row: PreparedRow) => missing.size > 0 && missing.has(keyOf(row))
}

/** The only part of a key whose text is the `persistenceId`; null where it takes more to make that. */
function plainKey({ keys, properties }: Entity): string | null {
  const [only] = keys
  const key = properties.find(({ name }) => name === only)
  const isPlain = key && (isWholeKind(key.kind) || isTextKind(key.kind))
  return only !== undefined && keys.length === 1 && isPlain ? only : null
}

/** What a `Replace` makes of the fields that a row lacks. */
function missingFields(entity: Entity): JsonObject {
  if (entity.definition.updateStrategy !== 'Replace') return {}
  const defaults = defaultsOf(entity)
  return Object.fromEntries(
    checkedProperties(entity).map(({ name }): [string, Json] => {
      const value = defaults.get(name) ?? null
      // One that is generated is never what was given before.
      return [name, typeof value === 'function' ? null : value]
    }),
  )
}

/** The places, from 1, of the objects that differ from what is remembered. */
function changedPlaces(entity: Entity, origin: Origin, key: string, json: string): SQL {
  const isReplaced = entity.definition.updateStrategy === 'Replace'
  const isSame = isReplaced
    ? sql`p.base = n.given`
    : sql`(p.base = n.given or (p.base || n.given) = p.base)`
  return sql`select coalesce(json_agg(n.place), '[]') as places
    from jsonb_array_elements(${json}::text::jsonb) with ordinality as n(given, place)
    left join ${rememberedSql(entity, origin.pluginId, sql`n.given ->> ${key}::text`)} on true
    where not coalesce(p.path = ${origin.path}::text and p.content is null and ${isSame}, false) or p.install_id < 0`
}

/** Those of these keys, texts of the only key field `key`, that no record has. */
async function missingKeys(
  db: Db,
  entity: Entity,
  origin: Origin,
  key: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const missing = await missingIn(db, entity, key, keys)
  const { original } = origin
  if (missing.size === 0 || !original) return missing
  return readAndRelease(db, (inner) =>
    missingIn(inner, { ...entity, ...original }, key, [...missing]),
  )
}

async function missingIn(
  db: Db,
  entity: Entity,
  key: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const found = foundIn(entity, key, keys)
  const count = await rows<{ count: number }>(db, sql`select count(*)::int as count ${found}`)
  if (one(count).count === keys.length) return new Set()
  const stored = await rows<{ key: string }>(db, sql`select t.key ${found}`)
  const known = new Set(stored.map((row) => row.key))
  return new Set(keys.filter((text) => !known.has(text)))
}

/**
 * From a relation `t` of those that records have. Each is looked up by the index, whatever the statistics say; nodes of a cluster
 * take them as one list.
 */
function foundIn(
  { table, properties, isDistributed }: Entity,
  key: string,
  keys: readonly string[],
): SQL {
  const column = sql`s.${sql.identifier(key)}`
  const isNumber = properties.some(({ name, kind }) => name === key && isWholeKind(kind))
  const stored = sql`select ${column}::text as key from ${tableSql(table)} as s where ${column} =`
  if (isDistributed) {
    const list = textArray(keys)
    return sql`from (${stored} any (${isNumber ? sql`${list}::bigint[]` : list})) as t`
  }
  return sql`from jsonb_array_elements_text(${JSON.stringify(keys)}::text::jsonb) as k(key)
    cross join lateral (${stored} ${isNumber ? sql`k.key::bigint` : sql`k.key`} offset 0) as t`
}
