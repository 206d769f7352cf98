import { sql } from 'drizzle-orm'
import type { RecordContent, RecordContents } from '@/lib/archives/record-contents'
import { forEachInTurns } from '@/lib/async/turns'
import { pluginRecords } from '@/lib/db/schema'
import { type Db, rows as rowsOf } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { CheckedRecords } from '@/lib/installs/points'
import { isTextKind } from '@/lib/kinds/kind'
import { keyReader, type PreparedRow, repacker } from '@/lib/rows/prepared-row'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import { type FilePaths, type Origin, ofFile } from '../base/record-sql'
import { matchSimilar } from './match-similar'

const CONTENTS_A_STATEMENT = 20_000

/**
 * Finds the keys that were generated for records when the same file of the plugin gave them before: of
 * records with the same fields first, then of similar ones.
 */
export async function recallKeys(
  db: Db,
  origin: Origin,
  entity: Entity,
  rows: PreparedRow[],
  contents: RecordContents,
): Promise<CheckedRecords> {
  if (contents.size === 0 || !(await gaveContents(db, origin, entity))) return { rows, contents }
  const keys = new Map<number, string>()
  const readKey = keyReader(entity)
  const isAsked = (row: PreparedRow) => readKey(row) === null && contents.get(row.index)
  for (let from = 0; from < rows.length; from += CONTENTS_A_STATEMENT) {
    const asked: RecordContent[] = []
    await forEachInTurns(rows.slice(from, from + CONTENTS_A_STATEMENT), (row) => {
      const content = isAsked(row)
      if (content) asked.push(content)
    })
    for (const { index, key } of await keysOf(db, origin, entity, asked)) keys.set(index, key)
  }
  const unknown = rows.filter((row) => !keys.has(row.index) && isAsked(row))
  for (const [index, key] of await matchSimilar(db, origin, entity, {
    unknown,
    rows,
    taken: [...keys.values()],
  }))
    keys.set(index, key)
  return { rows: await withKeys(entity, rows, keys), contents }
}

async function withKeys(entity: Entity, rows: PreparedRow[], keys: ReadonlyMap<number, string>) {
  const repack = repacker(entity)
  const parseKey = keyParser(entity)
  const known: PreparedRow[] = []
  await forEachInTurns(rows, (row) => {
    const { index, extra } = row
    const text = keys.get(index)
    const key: JsonObject | null = text === undefined ? null : parseKey(text)
    known.push(key ? repack(row, { index, values: { ...row.values, ...key }, extra }) : row)
  })
  return known
}

async function gaveContents(db: Db, origin: Origin, entity: Entity): Promise<boolean> {
  const found = sql`select from ${pluginRecords} as p where ${ofFile(origin, entity)} and p.content is not null limit 1`
  return (await rowsOf(db, found)).length > 0
}

/**
 * Whether the file gave records of the entity before. In the order of the index: whatever the statistics
 * say, the records of other entities are not read.
 */
export async function gaveRecords(
  db: Db,
  origin: FilePaths,
  entity: Pick<Entity, 'name'>,
): Promise<boolean> {
  const found = sql`select from ${pluginRecords} as p where ${ofFile(origin, entity)}
    order by p.entity, p.key limit 1`
  return (await rowsOf(db, found)).length > 0
}

/** The same of all files of the plugin; with `isBefore`, before this install. */
export async function gaveAny(
  db: Db,
  { pluginId, installId }: Origin,
  { name }: Entity,
  { isBefore = false } = {},
): Promise<boolean> {
  const before = isBefore ? sql`and p.created_by is distinct from ${installId}::bigint` : sql``
  const found = sql`select from ${pluginRecords} as p
    where p.plugin_id = ${pluginId}::text and p.entity = ${name}::text ${before} order by p.entity, p.key limit 1`
  return (await rowsOf(db, found)).length > 0
}

/** Looked up by content, whatever the statistics say: only that index has what the subquery compares. */
async function keysOf(db: Db, origin: Origin, entity: Entity, contents: readonly RecordContent[]) {
  if (contents.length === 0) return []
  return rowsOf<{ index: number; key: string }>(
    db,
    sql`select c.index, p.key
      from json_to_recordset(${JSON.stringify(contents)}::text::json) as c(index int, digest uuid, ordinal int)
        cross join lateral (select r.* from ${pluginRecords} as r
          where r.plugin_id = ${origin.pluginId}::text and r.content = c.digest offset 0) as p
      where p.ordinal = c.ordinal and ${ofFile(origin, entity)}`,
  )
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns a function that reads a `persistenceId` as the fields of a key; null when it does not fit. */
function keyParser({ keys, properties }: Entity): (text: string) => JsonObject | null {
  const parts = keys.map((name) => {
    const property = properties.find((one) => one.name === name)
    return {
      name,
      isNumber: !property || !isTextKind(property.kind),
      isUuid: property?.type === 'uuid',
    }
  })
  return (text) => {
    const object = parts.length === 1 ? { [parts[0]?.name ?? '']: text } : decoded(text)
    if (!object) return null
    const key: JsonObject = {}
    for (const { name, isNumber, isUuid } of parts) {
      const value = String(object[name] ?? '')
      const fits = isNumber ? /^-?\d+$/.test(value) : value !== '' && (!isUuid || UUID.test(value))
      if (!fits) return null
      key[name] = isNumber && Number.isSafeInteger(Number(value)) ? Number(value) : value
    }
    return key
  }
}

function decoded(text: string): JsonObject | null {
  try {
    const value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Json
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
