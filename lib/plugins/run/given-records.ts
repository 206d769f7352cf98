import { createHash } from 'node:crypto'
import { and, eq, exists, sql } from 'drizzle-orm'
import { forEachInTurns } from '@/lib/async/turns'
import { givenFiles, givenRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import type { RecordContent, RecordContents } from '@/lib/plugins/content/record-content'
import type { PlannedFile } from '@/lib/plugins/plugin-file'
import { findTaken } from '@/lib/records/find-conflicts'
import { keyReader, repacker } from '@/lib/records/packed-row'
import type { PreparedRow } from '@/lib/records/prepared-row'
import type { JsonObject } from '@/lib/values/json'

/** A data file of a plugin, in any version of its archive; `path` is relative to the plugin's folder. */
export type GivenFile = { pluginId: string; path: string; entity: string }

export const givenFile = (
  { path, target, root }: PlannedFile,
  { pluginId }: { pluginId: string },
): GivenFile => ({ pluginId, path: path.slice(root.length), entity: target ?? '' })

export type Recalled = {
  /** All rows; those that the file gave before have the key generated for them then. */
  rows: PreparedRow[]
  /** Indexes of those. */
  recalled: ReadonlySet<number>
  /** The contents of the records without a key, the recalled ones included. */
  contents: RecordContents
}

const CONTENTS_A_STATEMENT = 20_000

/** Finds the keys generated for records when the same file of the plugin gave them before. */
export async function recallKeys(
  db: Db,
  file: GivenFile,
  entity: Entity,
  rows: PreparedRow[],
  contents: RecordContents,
): Promise<Recalled> {
  const recalled = new Set<number>()
  if (contents.size === 0 || !(await isGiven(db, file))) return { rows, recalled, contents }
  const readKey = keyReader(entity)
  const repack = repacker(entity)
  const known: PreparedRow[] = []
  for (let from = 0; from < rows.length; from += CONTENTS_A_STATEMENT) {
    const batch = rows.slice(from, from + CONTENTS_A_STATEMENT)
    const asked: RecordContent[] = []
    await forEachInTurns(batch, (row) => {
      const content = readKey(row) === null ? contents.get(row.index) : undefined
      if (content) asked.push(content)
    })
    const keys = await keysOf(db, file, entity, asked)
    await forEachInTurns(batch, (row) => {
      const { index, extra } = row
      const key = keys.get(index)
      if (key) recalled.add(index)
      known.push(key ? repack(row, { index, values: { ...row.values, ...key }, extra }) : row)
    })
  }
  return { rows: known, recalled, contents }
}

/** Whether keys were generated for records of the file before. */
export async function isGiven(db: Db, file: GivenFile): Promise<boolean> {
  return (await db.$count(givenFiles, eq(givenFiles.id, idOf(file)))) > 0
}

async function keysOf(db: Db, file: GivenFile, entity: Entity, contents: readonly RecordContent[]) {
  const keys = new Map<number, JsonObject>()
  if (contents.length === 0) return keys
  const toKey = keyCaster(entity)
  const json = JSON.stringify(contents)
  const found = await db
    .select({ index: sql<number>`c.index`, key: givenRecords.key })
    .from(sql`json_to_recordset(${json}::text::json) as c(index int, digest uuid, ordinal int)`)
    .innerJoin(
      givenRecords,
      and(
        eq(givenRecords.fileId, idOf(file)),
        eq(givenRecords.digest, sql`c.digest`),
        eq(givenRecords.ordinal, sql`c.ordinal`),
      ),
    )
  for (const { index, key } of found) {
    const cast = toKey(key)
    if (cast) keys.set(index, cast)
  }
  return keys
}

/** Returns a function that gives remembered keys the types of the entity's key; null if they differ. */
function keyCaster({ keys, properties }: Entity): (key: JsonObject) => JsonObject | null {
  const parts = keys.map((name) => ({
    name,
    isText: properties.some((property) => property.name === name && property.kind === 'text'),
    isUuid: properties.some((property) => property.name === name && property.type === 'uuid'),
  }))
  return (key) => {
    const cast: JsonObject = {}
    for (const { name, isText, isUuid } of parts) {
      const text = String(key[name] ?? '')
      const isNumber = /^-?\d+$/.test(text)
      if (isText ? text === '' || (isUuid && !UUID.test(text)) : !isNumber) return null
      cast[name] = isText ? text : castNumber(text)
    }
    return cast
  }
}

const castNumber = (text: string) => (Number.isSafeInteger(Number(text)) ? Number(text) : text)
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The indexes of recalled rows that are still stored, changed or not. */
export async function stillStored(
  tx: Db,
  entity: Entity,
  { rows, recalled }: Pick<Recalled, 'rows' | 'recalled'>,
): Promise<ReadonlySet<number>> {
  if (recalled.size === 0) return recalled
  const asked = rows.filter(({ index }) => recalled.has(index))
  const key = { columns: entity.keys, isPrimary: true }
  return new Set((await findTaken(tx, entity, asked, key, 'Error')).keys())
}

/** Remembers the keys generated for rows that were not recalled, in the transaction that writes them. */
export async function rememberKeys(
  tx: Db,
  file: GivenFile,
  { keys }: Entity,
  written: readonly PreparedRow[],
  { contents, recalled }: Pick<Recalled, 'contents' | 'recalled'>,
): Promise<void> {
  if (contents.size === recalled.size) return
  const id = await noteFile(tx, file)
  for (let from = 0; from < written.length; from += CONTENTS_A_STATEMENT) {
    const made: string[] = []
    await forEachInTurns(written.slice(from, from + CONTENTS_A_STATEMENT), (row) => {
      const content = recalled.has(row.index) ? undefined : contents.get(row.index)
      if (content) made.push(madeText(content, keys, row.values))
    })
    if (made.length === 0) continue
    const json = `[${made.join(',')}]`
    // A value of a type that the entity's key no longer has.
    const given = sql`select digest, ordinal from json_to_recordset(${json}::text::json) as c(digest uuid, ordinal int)`
    await tx
      .delete(givenRecords)
      .where(
        and(
          eq(givenRecords.fileId, id),
          sql`(${givenRecords.digest}, ${givenRecords.ordinal}) in (${given})`,
        ),
      )
    await tx.insert(givenRecords).select(
      sql`select ${id}::uuid, digest, ordinal, key
          from json_to_recordset(${json}::text::json) as c(digest uuid, ordinal int, key jsonb)`,
    )
  }
}

/**
 * Notes a file and returns its id. Not by ON CONFLICT, which the copy of a dry run can't do. The
 * plugin's lock excludes other writers.
 */
export async function noteFile(tx: Db, file: GivenFile): Promise<string> {
  const id = idOf(file)
  const isKnown = exists(tx.select().from(givenFiles).where(eq(givenFiles.id, id)))
  await tx
    .insert(givenFiles)
    .select(
      sql`select ${id}::uuid, ${file.pluginId}::text, ${file.path}::text, ${file.entity}::text where not ${isKnown}`,
    )
  return id
}

function madeText({ digest, ordinal }: RecordContent, keys: readonly string[], values: JsonObject) {
  return JSON.stringify({ digest, ordinal, key: keyOf(keys, values) })
}

export const keyOf = (keys: readonly string[], values: JsonObject): JsonObject =>
  Object.fromEntries(keys.map((name) => [name, values[name] ?? null]))

export const idOf = ({ pluginId, path, entity }: GivenFile): string =>
  createHash('sha256')
    .update(JSON.stringify([pluginId, path, entity]))
    .digest('hex')
    .slice(0, 32)
