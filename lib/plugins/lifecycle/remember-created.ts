import { inArray, type SQL, sql } from 'drizzle-orm'
import { affectedRows } from '@/lib/db/affected-rows'
import { inlined } from '@/lib/db/copy-out'
import { tableSql } from '@/lib/db/identifiers'
import { one } from '@/lib/db/rows'
import { pendingPluginRecords, pluginChanges, pluginRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import type { RecordContents } from '@/lib/plugins/content/record-content'
import { type Encode, jsonChunks } from '@/lib/rows/json-chunks'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import {
  CONTENT_COLUMN,
  INDEX_COLUMN,
  ORDINAL_COLUMN,
  recordset,
  sameKey,
} from '@/lib/rows/record-columns'
import { stringifyExactly } from '@/lib/values/exact-numbers'
import { contentEncoder } from './content-encoder'
import type { Origin } from './origin'
import { imageSql, keySql, rememberedSql } from './record-sql'
import { storedRelation } from './stored-relation'

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
export const createdEncoder = (entity: Entity, contents: RecordContents): Encode =>
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
  const given = recordset(entity, json, [
    ...entity.keys,
    INDEX_COLUMN,
    CONTENT_COLUMN,
    ORDINAL_COLUMN,
  ])
  const [content, ordinal] = [sql.identifier(CONTENT_COLUMN), sql.identifier(ORDINAL_COLUMN)]
  const source = sql`${given} join ${await storedRelation(tx, entity, json)} as t on ${sameKey(entity)}`
  return affectedRows(
    tx,
    remember(entity, origin, sql`n.${content} as content, n.${ordinal} as ordinal`, source),
  )
}

/**
 * Remembers every stored record of a table that the file filled and that is not remembered yet, those of the `kept` parts
 * included. Returns their number.
 */
export async function rememberTable(
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
export async function rememberLater(
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
  with "$s" as materialized (
    select ${keySql(entity, 't')} as key, ${imageSql(entity, 't')} as base, ${content} from ${source}
  ), "$c" as (
    insert into ${pluginChanges} (install_id, entity, key, change, remembered)
    select ${installId}::bigint, ${entity.name}::text, p.key, 'unchanged', to_jsonb(p.*)
    from "$s" join ${rememberedSql(entity, pluginId, sql`"$s".key`)} on true
    where p.created_by is distinct from ${installId}::bigint
    on conflict do nothing
  )
  insert into ${pluginRecords} (plugin_id, entity, key, path, base, install_id, created_by, content, ordinal)
  select ${pluginId}::text, ${entity.name}::text, key, ${path}::text, base, ${installId}::bigint, ${installId}::bigint,
    content, ordinal from "$s"
  on conflict (entity, key, plugin_id) do update set path = excluded.path, base = excluded.base,
    install_id = excluded.install_id, created_by = excluded.created_by, content = excluded.content,
    ordinal = excluded.ordinal`
