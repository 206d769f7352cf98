import { type SQL, sql } from 'drizzle-orm'
import { affectedRows, type Db, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { targetOf } from '@/lib/registry/target'
import { idSql } from '@/lib/search/record-json'
import { relationSql } from '@/lib/totals/keep-total'
import type { ErasedPart } from '../contract'
import { ERASED } from './collect'

const KEYS = sql`(select key from ${ERASED})`

const own = (table: string) => sql`engine.${sql.identifier(table)}`

async function remove(tx: Db, table: string, where: SQL): Promise<ErasedPart> {
  const deleted = await affectedRows(tx, sql`delete from ${own(table)} where ${where}`)
  return { table: `engine.${table}`, deleted, changed: 0 }
}

async function change(tx: Db, table: string, set: SQL, where: SQL): Promise<ErasedPart> {
  const changed = await affectedRows(tx, sql`update ${own(table)} set ${set} where ${where}`)
  return { table: `engine.${table}`, deleted: 0, changed }
}

/** Erases all copies of the collected records, which are deleted by now. */
export async function eraseCopies(tx: Db, entity: Entity): Promise<ErasedPart[]> {
  const { name, table } = entity
  const ofTable = sql`relation = ${relationSql(table)} and key in ${KEYS}`
  const ofEntity = sql`entity = ${name} and key in ${KEYS}`
  return [
    await remove(tx, 'record_versions', ofTable),
    ...(await eraseEvents(tx, entity, ofTable)),
    ...(await eraseTrash(tx, entity)),
    await change(tx, 'plugin_records', sql`base = null`, sql`${ofEntity} and base is not null`),
    await remove(tx, 'plugin_changes', ofEntity),
    await change(tx, 'install_files', sql`conflicts = ${otherConflicts}`, hasConflicts(name)),
    await remove(tx, 'webhook_deliveries', ofEntity),
    await remove(
      tx,
      'record_comments',
      sql`relation = ${relationSql(table)} and key in (select comment from ${ERASED} where not stays)`,
    ),
    ...(await eraseFiles(tx, name)),
  ]
}

/** The deletion itself stays, with the key alone, so that who follows the records hears of it. */
async function eraseEvents(tx: Db, { keys }: Entity, ofTable: SQL): Promise<ErasedPart[]> {
  const isNow = sql`change_id is not distinct from engine.present_change() and kind = 'delete'`
  const key = sql.join(
    keys.map((field) => sql`${field}::text, before -> ${field}::text`),
    sql`, `,
  )
  await tx.execute(
    sql`update engine.record_events set before = jsonb_build_object(${key}) where ${ofTable} and ${isNow}`,
  )
  return [await remove(tx, 'record_events', sql`${ofTable} and not (${isNow})`)]
}

/** What was deleted, edited or imported; a batch of which nothing is left goes, unless others are restored with it. */
async function eraseTrash(tx: Db, entity: Entity): Promise<ErasedPart[]> {
  const ofEntity = sql`entity = ${entity.name} and kind in ('records', 'edit', 'import')`
  const key = sql`(select ${idSql(targetOf(entity))} from jsonb_populate_record(null::${tableSql(entity.table)}, trash_records.data))`
  const isErased = sql`batch_id in (select id from engine.trash_batches where ${ofEntity}) and ${key} in ${KEYS}`
  const removed = await remove(tx, 'trash_records', isErased)
  if (removed.deleted === 0) return [removed]
  const left = sql`select count(*)::int as total,
    count(*) filter (where r.data -> '$before' = 'null'::jsonb)::int as created
    from engine.trash_records as r where r.batch_id = trash_batches.id`
  await tx.execute(
    sql`update engine.trash_batches set (record_count, created_count) = (${left}) where ${ofEntity}`,
  )
  const isEmpty = sql`${ofEntity} and record_count = 0
    and not exists (select from engine.trash_batches as o where o.root_id = trash_batches.id)`
  return [removed, await remove(tx, 'trash_batches', isEmpty)]
}

const otherConflicts = sql`coalesce((select jsonb_agg(c) from jsonb_array_elements(conflicts) as c where c ->> 'key' not in ${KEYS}), '[]')`

const hasConflicts = (entity: string): SQL =>
  sql`target = ${entity} and exists (select from jsonb_array_elements(conflicts) as c where c ->> 'key' in ${KEYS})`

/** Prepared exports that may show the records, of others by a reference, and refused rows of imports. */
const eraseFiles = async (tx: Db, entity: string): Promise<ErasedPart[]> => [
  await remove(tx, 'exports', sql`entity = ${entity} or body ~ '"expand"|[.]'`),
  await remove(
    tx,
    'import_parts',
    sql`import_id in (select id from engine.imports where entity = ${entity})`,
  ),
  await change(
    tx,
    'imports',
    sql`refused_rows = 0, refused_bytes = 0, groups = '[]',
      batch_id = (select id from engine.trash_batches as b where b.id = imports.batch_id)`,
    sql`entity = ${entity}`,
  ),
]

/**
 * Takes the values out of entries of the audit log about the records, and which record it was of those that are deleted. Entries about
 * many records lose their conditions and new values where one of these has one of `texts`, or is a number of these digits; those about
 * saved views lose names with one.
 */
export async function eraseFromAudit(
  tx: Db,
  { name }: Entity,
  { as, texts }: { as: string; texts: readonly string[] },
): Promise<ErasedPart> {
  const isOne = sql`object_id in ${KEYS}`
  const isDeleted = sql`object_id in (select key from ${ERASED} where not stays)`
  const list = sql`(select jsonb_array_elements_text(${JSON.stringify(texts)}::jsonb))`
  const isNamed = sql`object_id is null and details ? 'query' and exists (
    select from ${list} as t(text), jsonb_path_query(jsonb_build_array(details -> 'query', details -> 'set'), 'strict $.**') as v
    where case jsonb_typeof(v) when 'string' then position(lower(t.text) in lower(v #>> '{}')) > 0
      when 'number' then v #>> '{}' = t.text end)`
  const isOfView = sql`action like 'views.%'`
  const isNamedView = sql`exists (select from ${list} as t(text) where position(lower(t.text) in lower(details ->> 'name')) > 0)`
  await tx.execute(sql`select set_config('engine.erasure', 'on', true)`)
  const part = await change(
    tx,
    'audit_log',
    sql`object_id = case when ${isDeleted} then ${as} else object_id end,
      details = case when ${isOfView} then details - 'name' when ${isOne} then '{}' else details - 'query' - 'set' end`,
    sql`object_type = ${name} and (${isOne} or ${isNamed}) or ${isOfView} and ${isNamedView}`,
  )
  await tx.execute(sql`select set_config('engine.erasure', '', true)`)
  return part
}
