import { type SQL, sql } from 'drizzle-orm'
import type { RecordContents } from '@/lib/archives/record-contents'
import { forEachInTurns } from '@/lib/async/turns'
import { pluginChanges, pluginRecords } from '@/lib/db/schema'
import { affectedRows, type Db, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
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
export async function rememberChunk(
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

/** Remembers every stored record of a table that the file filled and that is not remembered yet. Returns their number. */
export const rememberTable = (tx: Db, entity: Entity, origin: Origin): Promise<number> =>
  affectedRows(
    tx,
    sql`${rememberStored(entity, origin)} from ${tableSql(entity.table)} as t on conflict do nothing`,
  )

/** An insert of stored records `t` as far as its `from`. `content`: of those without a key in the file. */
export const rememberStored = (
  entity: Entity,
  { pluginId, path, installId }: Origin,
  { content = sql`null::uuid, null::integer`, from = sql`${path}::text` } = {},
): SQL =>
  sql`insert into ${pluginRecords} (plugin_id, entity, key, path, base, install_id, created_by, content, ordinal)
    select ${pluginId}::text, ${entity.name}::text, ${keySql(entity, 't')}, ${from},
      ${imageSql(entity, 't')}, ${installId}::bigint, ${installId}::bigint, ${content}`

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

/** The keys and contents of created records that are remembered at the end, as texts for `rememberChunk`. */
export function createdTexts(entity: Entity) {
  const parts: Buffer[] = []
  let texts: string[] = []
  let chars = 0
  const close = () => {
    if (texts.length > 0) parts.push(Buffer.from(`[${texts.join(',')}]`))
    texts = []
    chars = 0
  }
  return {
    async add(created: readonly PreparedRow[], contents: RecordContents): Promise<void> {
      const encode = createdEncoder(entity, contents)
      await forEachInTurns(created, (row) => {
        const text = encode(row)
        texts.push(text)
        chars += text.length
        if (chars >= PART_CHARS) close()
      })
    },
    *take(): Generator<string> {
      close()
      for (const part of parts) yield part.toString()
    },
  }
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
