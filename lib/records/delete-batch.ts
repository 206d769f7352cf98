import { type SQL, sql } from 'drizzle-orm'
import { auditJson, insertAudit, recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { affectedRows } from '@/lib/db/affected-rows'
import { affectedRowsSql } from '@/lib/db/compiled-statement'
import { tableSql } from '@/lib/db/identifiers'
import { one, rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { requireRead } from '@/lib/registry/may-read'
import { findEntity, listEntities } from '@/lib/registry/registry'
import { targetOf } from '@/lib/registry/target'
import { countMatches } from '@/lib/search/count-matches'
import { matchRecords } from '@/lib/search/match-records'
import type { ConditionsInput } from '@/lib/search/read-input'
import { resolveWhere } from '@/lib/search/resolve-search'
import type { Resolved } from '@/lib/search/resolved'
import { whereSql } from '@/lib/search/to-sql'
import { emptyTable } from '@/lib/tables/empty-table'
import type { JsonObject } from '@/lib/values/json'
import { toStorableText } from '@/lib/values/storable'
import { shorten } from '@/lib/values/unknown-name'
import { shortenedQuery } from './audit-details'
import type { Blocker } from './contract'
import { referringRecords, refuseReferenced } from './delete/blockers'
import { deleteLinked, previewLinked } from './delete/delete-linked'
import { deletionLinks, hasDeletionLinks } from './delete/deletion-links'
import { hasEffects } from './delete/effects'
import { anyEffects, type Moved, moveToTrash } from './move-to-trash'
import { requireExpected } from './preconditions'

const WORDS = { noun: 'record', done: 'deleted' } as const

export type DeleteBatch = ConditionsInput & {
  entityName: string
  /** Count only. */
  dryRun: boolean
  /** Refuse unless exactly this many records match. */
  expected?: number
  /** The number of days for which the records can be restored; without it they are removed for good. */
  undo?: number
  /** Properties of a request without conditions that were ignored: what goes is kept for 7 days then. */
  ignored?: readonly string[]
  actor: Actor
  requestId: string
}

/** One of the ignored properties may have been meant as the query. */
const KEPT_DAYS = 7

/** `blockedBy`: in a dry run, what would prevent the deletion. */
export type DeletedBatch = Moved & { blockedBy: Blocker[] }

/**
 * Deletes all matching records, or all records without conditions, in one transaction, and returns
 * their number; with `undo`, or `ignored` properties, they go to the trash. Throws `forbidden` when the definition forbids
 * deletion or an actor without the right to read asks for more than to delete everything, `conflict` when
 * the number is not the expected one or other records still refer to one of them (nothing is deleted
 * then), and as `matchRecords` does.
 */
export async function deleteBatch(deps: Deps, asked: DeleteBatch): Promise<DeletedBatch> {
  const input = asked.ignored?.length ? { ...asked, undo: asked.undo ?? KEPT_DAYS } : asked
  const entity = await findEntity(deps, input.entityName)
  if (!entity.definition.permissions.delete)
    throw new AppError(
      'forbidden',
      `The entity "${entity.name}" forbids deletion by its definition`,
    )
  requireReadOfParts(entity, input)
  const target = { ...targetOf(entity), reader: input.actor.userId }
  const where = resolveWhere(target, input)
  const run = { target, search: { where }, actor: input.actor, changes: !input.dryRun }
  return matchRecords(deps, run, () => deleteMatches(deps, entity, where, input))
}

async function deleteMatches(
  deps: Deps,
  entity: Entity,
  where: Resolved[],
  input: DeleteBatch,
): Promise<DeletedBatch> {
  const deletion = { entity, where: whereSql(where), actor: input.actor }
  if (input.dryRun) {
    const entities = await listEntities(deps)
    const preview = hasEffects(entity, entities) ? await previewEffects(deps, deletion) : null
    // Records of the entity itself that go by references are among those that the deletion counts.
    const count = preview?.count ?? (await countMatches(deps, targetOf(entity), where))
    requireExpected(count, input.expected, WORDS)
    if (preview) return { ...preview, batchId: null }
    const blockedBy = await referringRecords(deps.db, { ...deletion, entities })
    return { count, batchId: null, blockedBy, effects: [] }
  }
  try {
    const isOnce = !entity.isDistributed && isPlain(where, input)
    const count = isOnce ? await deleteOnce(deps, entity, where, input) : 0
    if (count > 0) return { count, batchId: null, blockedBy: [], effects: [] }
    const removed = await deps.db.transaction((tx) => remove(tx, entity, where, input))
    return { ...removed, blockedBy: [] }
  } catch (error) {
    return await refuseReferenced(deps, deletion, error)
  }
}

/** What is to be emptied, or restored, or may be refused when its number is known, goes in steps. */
const isPlain = (where: Resolved[], { undo, expected }: DeleteBatch): boolean =>
  where.length > 0 && !undo && expected === undefined

const deleteOnce = (
  deps: Deps,
  entity: Entity,
  where: Resolved[],
  { actor, requestId, conditions }: DeleteBatch,
) => {
  const details = { query: shortenedQuery(conditions) }
  return deleteMatchesOnce(deps, entity, whereSql(where), { actor, requestId, details })
}

/** Null when no reference does anything. */
async function previewEffects({ db }: Deps, { entity, where, actor }: Deletion) {
  return db.transaction(async (tx) => {
    const linked = await deletionLinks(tx, entity)
    return linked && previewLinked(tx, linked, where, actor)
  })
}

type Deletion = { entity: Entity; where: SQL; actor: Actor }

/** Numbers of matches would reveal stored values, character by character, without deleting anything. */
function requireReadOfParts(
  entity: Entity,
  { conditions, dryRun, expected, actor }: DeleteBatch,
): void {
  if (conditions.length > 0)
    requireRead(actor, entity, 'A deletion by conditions', deleteById(entity))
  if (dryRun) requireRead(actor, entity, 'A dry run')
  if (expected !== undefined) requireRead(actor, entity, 'An expected number')
}

const deleteById = ({ name }: Entity) =>
  `delete records by their ids instead: DELETE /api/entities/${encodeURIComponent(name)}/{id}`

async function remove(
  tx: Db,
  entity: Entity,
  where: Resolved[],
  { expected, undo, ignored = [], actor, requestId, conditions }: DeleteBatch,
): Promise<Moved> {
  const check = (count: number) => requireExpected(count, expected, WORDS)
  const removed = undo
    ? await moveToTrash(tx, entity, whereSql(where), { days: undo, deletedBy: actor.name, actor })
    : await destroy(tx, entity, where, { actor, check })
  check(removed.count)
  const trashed: JsonObject = undo ? { batchId: removed.batchId, undoDays: undo } : {}
  await recordAudit(tx, actor, {
    action: 'records.delete',
    objectType: entity.name,
    details: {
      count: removed.count,
      query: shortenedQuery(conditions),
      ...(ignored.length > 0 ? { ignored: [...ignored] } : {}),
      ...trashed,
      ...anyEffects(removed),
    },
    requestId,
  })
  return removed
}

async function destroy(
  tx: Db,
  entity: Entity,
  where: Resolved[],
  { actor, check }: { actor: Actor; check: (count: number) => void },
): Promise<Moved> {
  const { table } = entity
  const emptied = where.length === 0 ? await emptyTable(tx, table, check) : null
  if (emptied !== null) return { count: emptied, batchId: null, effects: [] }
  const linked = entity.isDistributed ? await deletionLinks(tx, entity) : null
  const count = linked ? 0 : await affectedRows(tx, plainDeletion(entity, whereSql(where)))
  const found = count === 0 && !linked ? await deletionLinks(tx, entity) : linked
  if (found) return deleteLinked(tx, found, whereSql(where), { trash: null, actor })
  return { count, batchId: null, effects: [] }
}

type Once = { actor: Actor; requestId: string; details: JsonObject }

/** Deletes all records that match; none where that affects others, which `deleteLinked` does; of entities on nodes the caller knows. */
const plainDeletion = (entity: Entity, where: SQL): SQL =>
  entity.isDistributed
    ? sql`delete from ${tableSql(entity.table)} where ${where}`
    : sql`delete from ${tableSql(entity.table)} where ${where} and not ${hasDeletionLinks(entity)}`

/**
 * The same, with its entry in the audit log, whose `details` get the count, by one statement, which is a
 * transaction of its own. Returns the number; after 0 nothing was recorded either.
 */
async function deleteMatchesOnce(
  { db }: Pick<Deps, 'db'>,
  entity: Entity,
  where: SQL,
  { actor, requestId, details }: Once,
): Promise<number> {
  const audit = auditJson(actor, {
    action: 'records.delete',
    objectType: entity.name,
    details,
    requestId,
  })
  const count = sql`jsonb_build_object('count', "$deleted".count)`
  const query = sql`with "$deleted" as materialized (
      select ${affectedRowsSql(plainDeletion(entity, where))}::int as count),
    "$audit" as (${insertAudit(sql`${audit}`, sql`"$deleted" where "$deleted".count > 0`, { details: count })})
    select count from "$deleted"`
  return one(await rows<{ count: number }>(db, query)).count
}

/** Of a batch deletion; everything else is ignored, as interface.md §7 says. */
const PROCESSED = new Set(['entity', 'query', 'filters'])

const MAX_NAMED = 20

/**
 * The properties of a batch deletion's body that are ignored, at most 20, for messages and the audit log: without
 * conditions, one of them may have been meant as the query.
 */
export const ignoredProperties = (body: object): string[] =>
  Object.keys(body)
    .filter((name) => !PROCESSED.has(name))
    .slice(0, MAX_NAMED)
    .map((name) => toStorableText(shorten(name)))
