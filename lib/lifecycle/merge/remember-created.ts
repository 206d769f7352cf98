import { inArray, type SQL, sql } from 'drizzle-orm'
import type { RecordContents } from '@/lib/archives/read-rows'
import { forEachInTurns } from '@/lib/async/turns'
import { inlined } from '@/lib/db/copy-out'
import { pendingPluginRecords, pluginChanges, pluginRecords } from '@/lib/db/schema'
import { affectedRows, type Db, one, rows, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { CopyRecorder } from '@/lib/installs/points'
import type { CopyFormat } from '@/lib/rows/copy-rows'
import type { Copied } from '@/lib/rows/load-records'
import { type Encode, jsonChunks, type PreparedRow, withPosition } from '@/lib/rows/prepared-row'
import {
  CONTENT_COLUMN,
  INDEX_COLUMN,
  ORDINAL_COLUMN,
  recordset,
  sameKey,
} from '@/lib/rows/record-columns'
import { stringifyExactly } from '@/lib/values/json'
import { imageSql, keySql, type Origin, rememberedSql, storedRelation } from '../base/record-sql'
import { recordFieldNames } from '../changes/record-definitions'

/**
 * Remembers the records that a file created, as they are stored, in the transaction that created them.
 * Rows have complete keys.
 */
export async function rememberCreated(
  tx: Db,
  entity: Entity,
  origin: Origin,
  rows: readonly PreparedRow[],
  contents: RecordContents,
): Promise<void> {
  for (const { json } of jsonChunks(rows, createdEncoder(entity, contents)))
    await rememberChunk(tx, entity, origin, json)
}

/** Encodes the key of a row and its content in the file. */
const createdEncoder = (entity: Entity, contents: RecordContents): Encode =>
  contentEncoder(
    ({ values }) =>
      stringifyExactly(Object.fromEntries(entity.keys.map((key) => [key, values[key] ?? null]))),
    contents,
  )

/** Remembers the stored records with the keys of the JSON rows; returns their number. */
async function rememberChunk(
  tx: Db,
  entity: Entity,
  origin: Origin,
  json: string,
): Promise<number> {
  const rows = recordset(entity, json, [
    ...entity.keys,
    INDEX_COLUMN,
    CONTENT_COLUMN,
    ORDINAL_COLUMN,
  ])
  const [content, ordinal] = [sql.identifier(CONTENT_COLUMN), sql.identifier(ORDINAL_COLUMN)]
  const source = sql`${rows} join ${await storedRelation(tx, entity, json)} as t on ${sameKey(entity)}`
  return affectedRows(
    tx,
    remember(entity, origin, sql`n.${content} as content, n.${ordinal} as ordinal`, source),
  )
}

/**
 * Remembers every stored record of a table that the file filled and that is not remembered yet, those of the `kept` parts
 * included. Returns their number.
 */
async function rememberTable(
  tx: Db,
  entity: Entity,
  origin: Origin,
  kept: readonly number[],
): Promise<number> {
  if (kept.length > 0)
    await tx.delete(pendingPluginRecords).where(inArray(pendingPluginRecords.id, [...kept]))
  const table = tableSql(entity.table)
  return affectedRows(
    tx,
    sql`${rememberStored(entity, origin)} from ${table} as t on conflict do nothing`,
  )
}

/** Keeps records that COPY wrote, to be remembered later (`settlePending`). Returns the part's id. */
async function rememberLater(
  tx: Db,
  entity: Entity,
  origin: Origin,
  copied: Pick<typeof pendingPluginRecords.$inferInsert, 'columns' | 'lines'>,
): Promise<number> {
  const statement = inlined(rememberStored(entity, origin))
  const part = { ...copied, pluginId: origin.pluginId, entity: entity.name, statement }
  const id = { id: pendingPluginRecords.id }
  return one(await tx.insert(pendingPluginRecords).values(part).returning(id)).id
}

const rememberStored = (entity: Entity, { pluginId, path, installId }: Origin): SQL =>
  sql`insert into ${pluginRecords} (plugin_id, entity, key, path, base, install_id, created_by)
    select ${pluginId}::text, ${entity.name}::text, ${keySql(entity, 't')}, ${path}::text,
      ${imageSql(entity, 't')}, ${installId}::bigint, ${installId}::bigint`

/** A record that was remembered before was deleted since: its row is kept for the rollback. */
const remember = (
  entity: Entity,
  { pluginId, path, installId }: Origin,
  content: SQL,
  source: SQL,
): SQL => sql`
  with "$created" as materialized (
    select ${keySql(entity, 't')} as key, ${imageSql(entity, 't')} as base, ${content} from ${source}
  ), "$recorded" as (
    insert into ${pluginChanges} (install_id, entity, key, change, remembered)
    select ${installId}::bigint, ${entity.name}::text, p.key, 'unchanged', to_jsonb(p.*)
    from "$created" join ${rememberedSql(entity, pluginId, sql`"$created".key`)} on true
    where p.created_by is distinct from ${installId}::bigint
    on conflict do nothing
  )
  insert into ${pluginRecords} (plugin_id, entity, key, path, base, install_id, created_by, content, ordinal)
  select ${pluginId}::text, ${entity.name}::text, key, ${path}::text, base, ${installId}::bigint, ${installId}::bigint,
    content, ordinal from "$created"
  on conflict (entity, key, plugin_id) do update set path = excluded.path, base = excluded.base,
    install_id = excluded.install_id, created_by = excluded.created_by, content = excluded.content,
    ordinal = excluded.ordinal`

/** The characters of one statement. */
const PART_CHARS = 2_000_000

/**
 * Remembers the records with which a file fills an empty table. Parts of records with keys are kept as they were copied, and
 * remembered when that is needed or the database has time; where the table may have changed them, the end remembers what it has.
 */
export function createdRecorder(
  tx: Db,
  entity: Entity,
  origin: Origin,
  columns: CopyFormat['columns'],
): CopyRecorder {
  const table = tableSql(entity.table)
  const parts: Buffer[] = []
  const kept: number[] = []
  let texts: string[] = []
  let chars = 0
  let remembered = 0
  let mayWait: Promise<boolean> | null = null

  async function keep({ lines, count, longestKey }: Copied): Promise<void> {
    mayWait ??= columns.length <= MAX_COLUMNS ? hasNoTriggers(tx, entity) : NEVER
    const isOdd = parts.length > 0 || texts.length > 0 || longestKey > MAX_KEY_CHARS
    if (isOdd || !(await mayWait)) return
    for (const piece of piecesOf(lines))
      kept.push(await rememberLater(tx, entity, origin, { columns, lines: piece }))
    remembered += count
  }

  const close = () => {
    if (texts.length > 0) parts.push(Buffer.from(`[${texts.join(',')}]`))
    texts = []
    chars = 0
  }

  async function add(written: readonly PreparedRow[], contents: RecordContents): Promise<void> {
    if (contents.size === 0) return
    const encode = createdEncoder(entity, contents)
    await forEachInTurns([...written], (row) => {
      const text = encode(row)
      texts.push(text)
      chars += text.length
      if (chars >= PART_CHARS) close()
    })
  }

  async function end(created: number, newExtraFields: readonly string[]): Promise<boolean> {
    close()
    let others = 0
    for (const part of parts) others += await rememberChunk(tx, entity, origin, part.toString())
    if (remembered + others < created) remembered = await rememberTable(tx, entity, origin, kept)
    if (remembered + others !== created || (await tx.$count(table)) !== created) return false
    await recordFieldNames(tx, origin.installId, entity, newExtraFields)
    return true
  }

  return { keep, add, end }
}

/** Taking lines apart takes time with the square of their values. */
const MAX_COLUMNS = 200
const NEVER = Promise.resolve(false)
/**
 * The index of what is remembered takes 2,704 bytes, of which a key of several parts may need six for a character. Longer
 * ones are remembered at once, so that their file fails if they are too long.
 */
const MAX_KEY_CHARS = 200
/** What one statement settles: many records without values take more room as lines than in their file. */
const MAX_LINES_BYTES = 1024 * 1024
const NEWLINE = 10

/** Whole lines. */
function* piecesOf(lines: Buffer): Generator<Buffer> {
  for (let from = 0; from < lines.length; ) {
    const last = Math.min(lines.length, from + MAX_LINES_BYTES) - 1
    const end = lines.lastIndexOf(NEWLINE, last)
    const to = (end >= from ? end : lines.indexOf(NEWLINE, from)) + 1
    yield lines.subarray(from, to)
    from = to
  }
}

/** Whether records are stored as COPY writes them: nobody gave the table a trigger that may change them. */
async function hasNoTriggers(tx: Db, { table, isDistributed }: Entity): Promise<boolean> {
  // Where the table's rows are on other nodes, its triggers are, too.
  if (isDistributed) return false
  const found = sql`select 1 from pg_trigger
    join pg_proc on pg_proc.oid = tgfoid
    where tgrelid = format('%I.%I', ${table.schema}::text, ${table.name}::text)::regclass
      and not tgisinternal and pronamespace <> 'engine'::regnamespace limit 1`
  return (await rows(tx, found)).length === 0
}

/** Encodes rows with their positions and, of those that the file gives no key, with their contents. */
export function contentEncoder(encode: Encode, contents: RecordContents): Encode {
  const positioned = withPosition(encode)
  if (contents.size === 0) return positioned
  return (row) => {
    const content = contents.get(row.index)
    if (!content) return positioned(row)
    const { digest, ordinal } = content
    return `{"${CONTENT_COLUMN}":"${digest}","${ORDINAL_COLUMN}":${ordinal},${positioned(row).slice(1)}`
  }
}
