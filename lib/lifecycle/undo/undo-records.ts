import { sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { pluginChanges, pluginRecords, type RecordConflict } from '@/lib/db/schema'
import { affectedRows, type Db, one, rows, tableSql } from '@/lib/db/sql'
import type { Entity, Property } from '@/lib/definitions/definition'
import { decisionOf, refuseUnmet } from '@/lib/installs/decisions'
import { EMPTY_REPORT, type FileReport, NO_RECORDS } from '@/lib/installs/file-report'
import { isAnyJsonKind } from '@/lib/kinds/kind'
import { entitiesNamed, mergeEntity } from '@/lib/registry/registry-rows'
import { passCounters } from '@/lib/rows/generated-keys'
import { moveToTrash } from '@/lib/trash/move-to-trash'
import { parseJson } from '@/lib/values/json'
import { hasKey, stageRecords, writableColumns, writeStaged } from '../base/stage-records'
import { formerNames, recordedDefinitions } from '../changes/record-definitions'
import { propertiesOf } from './restore-definition'
import { overwriteRows, restoreRows, takenRecords } from './undo-returned'
import { createdRecords, fieldsOf, isLost, ownReferences, type Undo } from './undo-source'
import {
  changedRecords,
  disputedRecords,
  forget,
  isUnedited,
  recordRemembered,
  recordRows,
  rememberAgain,
  restoreChanged,
} from './undo-sql'

const TRASH_DAYS = 30

/** The entities of whose records an install created, changed or deleted some, or remembers them. */
export async function undoneEntities(tx: Db, { pluginId, installId }: Undo): Promise<Entity[]> {
  const found = await rows<{ entity: string }>(
    tx,
    sql`select entity from ${pluginChanges} where install_id = ${installId}::bigint
      union select entity from ${pluginRecords} where plugin_id = ${pluginId}::text and created_by = ${installId}::bigint
      order by 1`,
  )
  const names = found.map(({ entity }) => entity)
  return (await entitiesNamed(tx, names)).map(({ row, schema }) => mergeEntity(row, schema))
}

/**
 * Takes back what an install created and changed in an entity, as far as it was not edited since. Throws `conflict`
 * when records that stay refer to one that goes, whatever their references say of deletions.
 */
export async function undoRecords(
  tx: Db,
  entity: Entity,
  undo: Undo,
  actor: Actor,
): Promise<FileReport> {
  await tx.execute(recordRemembered(entity, undo))
  const staged = await stageRecords(tx, entity)
  const { conflicts, conflictCount } = await disputes(tx, staged, undo)
  const going = sql`(${isLost(entity, undo, sql`p.key`)} or ${isUnedited(entity)})`
  const source = sql`${createdRecords(staged, undo)} and ${going}`
  await tx.execute(recordRows(entity, undo, 'updated', changedRecords(staged, undo)))
  await tx.execute(recordRows(entity, undo, 'updated', takenRecords(staged, undo)))
  const deleted = await affectedRows(tx, recordRows(entity, undo, 'deleted', source))
  const left = deleted > 0 ? await removeNoted(tx, entity, staged, undo, actor) : staged
  const later = await fieldsThatBecomeJson(tx, entity, undo)
  const updated = await affectedRows(tx, restoreChanged(left, undo, later))
  await writeStaged(tx, entity, left)
  return {
    ...EMPTY_REPORT,
    path: entity.name,
    target: entity.name,
    kind: 'data',
    ...{ conflicts, conflictCount },
    status: updated + deleted > 0 ? 'updated' : 'unchanged',
    records: { ...NO_RECORDS, updated },
    removed: { total: deleted, deleted },
  }
}

/** Moves the records to the trash that are noted as deleted. Returns the entity, staged without them. */
async function removeNoted(tx: Db, entity: Entity, staged: Entity, undo: Undo, actor: Actor) {
  const from = await detach(tx, entity, staged, undo)
  const noted = sql`select j.key from ${pluginChanges} as j where j.install_id = ${undo.as}::bigint
    and j.entity = ${entity.name}::text and j.change = 'deleted'`
  await moveToTrash(tx, entity, hasKey(entity, from, noted), {
    days: TRASH_DAYS,
    deletedBy: actor.name,
    actor,
    others: 'stay',
  })
  return stageRecords(tx, entity)
}

/** Takes back first by which fields records of the entity refer to others of it, which may be about to go. */
async function detach(tx: Db, entity: Entity, staged: Entity, undo: Undo): Promise<Entity> {
  const references = await ownReferences(tx, entity)
  if (references.size === 0) return staged
  const others = fieldsOf(entity).flatMap(({ name }) => (references.has(name) ? [] : [name]))
  await tx.execute(restoreChanged(staged, undo, new Set(others)))
  await writeStaged(tx, entity, staged)
  return stageRecords(tx, entity)
}

/**
 * Fields that the undo makes JSON again. Their former values have to wait for that: as the text that the
 * field holds now, they would become JSON texts.
 */
async function fieldsThatBecomeJson(tx: Db, entity: Entity, { installId }: Undo) {
  const schema = entity.definition.engineSchema ?? entity.name
  const noted = await recordedDefinitions(tx, installId)
  const former = noted.flatMap(({ kind, name, before }) =>
    kind === 'schema' && name === schema ? propertiesOf(before) : [],
  )
  const changing = entity.properties.filter(
    (present) =>
      !isAnyJsonKind(present.kind) &&
      former.some((one) => isAnyJsonKind(one.kind) && isSameField(one, present)),
  )
  return new Set(changing.map(({ name }) => name))
}

const isSameField = (one: Property, other: Property) =>
  one.name === other.name ||
  one.renamedFrom?.includes(other.name) ||
  other.renamedFrom?.includes(one.name)

type Dispute = { key: string; change: 'edited' | 'deleted'; fields: string; total: number }

async function disputes(tx: Db, entity: Entity, undo: Undo) {
  const decider = undo.deciders(entity.name)
  await requireMet(tx, entity, undo, [...decider.keep, ...decider.take])
  const found = await rows<Dispute>(tx, disputedRecords(entity, undo))
  const conflicts = found.map(
    ({ key, change, fields }): RecordConflict => ({
      key,
      change,
      decision: decisionOf(decider, key) ?? 'keep',
      fields: parseJson(fields) as unknown as RecordConflict['fields'],
    }),
  )
  return { conflicts, conflictCount: found[0]?.total ?? 0 }
}

/** Throws `invalid_input` for keys of records without a conflict. */
async function requireMet(tx: Db, entity: Entity, undo: Undo, keys: readonly string[]) {
  if (keys.length === 0) return
  const found = await rows<Dispute>(tx, disputedRecords(entity, undo, keys))
  const met = new Set(found.map(({ key }) => key))
  const unmet = keys.filter((key) => !met.has(key))
  refuseUnmet(unmet.map((key) => ({ entity: entity.name, key })))
}

/**
 * Brings back what the install deleted; called when the definition is as before. Returns how many records were
 * created again, and how many put back in place of others.
 */
export async function restoreRecords(tx: Db, entity: Entity, undo: Undo) {
  const names = await writableColumns(tx, entity.table)
  const former = (await formerNames(tx, undo.installId)).get(entity.name) ?? []
  const undeclared = entity.open ? former.filter((name) => !names.includes(name)) : []
  const fields = { columns: names, undeclared }
  const updated = await affectedRows(tx, overwriteRows(entity, undo, fields))
  const created = await affectedRows(tx, restoreRows(entity, undo, fields))
  // The table may have been made again, with counters that begin at 1.
  if (created > 0) await passCounters(tx, entity, sql`${tableSql(entity.table)} as n`, () => true)
  return { created, updated }
}

/** Remembers what was remembered before the install. The entities need not exist any more. */
export async function rememberFormer(tx: Db, name: string, undo: Undo): Promise<void> {
  await tx.execute(forget(name, undo))
  await tx.execute(rememberAgain(name, undo))
}

/** Names of all entities of which the undo has notes. */
export async function recordedEntities(tx: Db, { as }: Undo): Promise<string[]> {
  const query = sql`select coalesce(json_agg(distinct entity), '[]') as names from ${pluginChanges} where install_id = ${as}::bigint`
  return one(await rows<{ names: string[] }>(tx, query)).names
}
