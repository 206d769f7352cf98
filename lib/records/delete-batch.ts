import { sql } from 'drizzle-orm'
import { around } from '@/lib/around'
import { auditJson, insertAudit, recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { affectedRowsSql } from '@/lib/db/compiled-statement'
import { type Db, one, rows, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { requireRead } from '@/lib/registry/may-read'
import { findEntity, listEntities } from '@/lib/registry/registry'
import { targetOf } from '@/lib/registry/target'
import { countMatches } from '@/lib/search/count-matches'
import { matchRecords } from '@/lib/search/match-records'
import type { ConditionsInput } from '@/lib/search/read-input'
import { emptyTable } from '@/lib/tables/empty-table'
import { toStorableText } from '@/lib/values/storable'
import { shorten } from '@/lib/values/unknown-name'
import { shortenedQuery } from './audit-details'
import { referringRecords, refuseReferenced } from './blockers'
import type { Blocker } from './contract'
import {
  anyEffects,
  hasEffects,
  keptDetails,
  plainDeletion,
  previewLinked,
  type Removed,
  removeRecords,
} from './delete-linked'
import { requireExpected } from './preconditions'
import { countOf, ruledMatches } from './removed-keys'
import { allRows, rowsThatMay, type Selected } from './rows-that-may'
import { writeRule } from './write-rule'

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
export type DeletedBatch = Removed & { blockedBy: Blocker[] }

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
  requireDeletable(entity)
  requireReadOfParts(entity, input)
  const { actor } = input
  const rule = await writeRule(deps, actor, entity, 'delete')
  const selected = rule ? rowsThatMay(rule, input) : allRows(entity, input, actor)
  const { where, target, search } = selected
  const run = { target, search, actor, changes: !input.dryRun }
  return matchRecords(deps, run, async () => {
    if (input.dryRun) return previewDeletion(deps, entity, selected, input)
    try {
      const removed =
        (await deleteOnce(deps, entity, selected, input)) ??
        (await deleteInSteps(deps, entity, selected, input))
      return { ...removed, blockedBy: [] }
    } catch (error) {
      return refuseReferenced(deps, { entity, where, actor }, error)
    }
  })
}

function requireDeletable({ name, definition }: Entity): void {
  if (definition.permissions.delete) return
  throw new AppError('forbidden', `The entity "${name}" forbids deletion by its definition`)
}

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

async function previewDeletion(
  deps: Deps,
  entity: Entity,
  { where, search, isLimited }: Selected,
  { expected, actor }: DeleteBatch,
): Promise<DeletedBatch> {
  const deletion = { entity, where, actor }
  const entities = await listEntities(deps)
  const preview = hasEffects(entity, entities)
    ? await deps.db.transaction((tx) => previewLinked(tx, entity, where, actor))
    : null
  // Records of the entity itself that go by references are among those that the deletion counts.
  const counted = () =>
    isLimited
      ? countOf(deps.db, sql`${tableSql(entity.table)} where ${where}`)
      : countMatches(deps, targetOf(entity), search.where)
  const count = preview?.count ?? (await counted())
  requireExpected(count, expected, WORDS)
  if (preview) return { ...preview, batchId: null }
  const blockedBy = await referringRecords(deps.db, { ...deletion, entities })
  return { count, batchId: null, blockedBy, effects: [] }
}

/**
 * By one statement with its entry in the audit log, which is a transaction of its own. Null, with nothing recorded, where it deletes
 * nothing, and for what goes in steps: all records, what is to be restored, and what may be refused when its number is known.
 *
 *     "$deleted"  (3)                                 the number of deleted records
 *     "$audit"    {"query": […], "count": 3}          no entry for 0
 */
async function deleteOnce(
  { db }: Deps,
  entity: Entity,
  { where, search, isLimited }: Selected,
  { undo, expected, actor, requestId, conditions }: DeleteBatch,
): Promise<Removed | null> {
  const isLarge = search.where.length === 0 || isLimited
  if (entity.isDistributed || isLarge || undo || expected !== undefined) return null
  const audit = auditJson(actor, {
    ...{ action: 'records.delete', objectType: entity.name, requestId },
    details: { query: shortenedQuery(conditions) },
  })
  const details = sql`jsonb_build_object('count', "$deleted".count)`
  const query = sql`with "$deleted" as materialized (
      select ${affectedRowsSql(plainDeletion(entity, where))}::int as count),
    "$audit" as (${insertAudit(sql`${audit}`, sql`"$deleted" where "$deleted".count > 0`, { details })})
    select count from "$deleted"`
  const { count } = one(await rows<{ count: number }>(db, query))
  return count > 0 ? { count, batchId: null, effects: [] } : null
}

const deleteInSteps = (
  { db, layers }: Deps,
  entity: Entity,
  selected: Selected,
  { expected, undo, ignored = [], actor, requestId, conditions }: DeleteBatch,
): Promise<Removed> =>
  db.transaction(async (tx) => {
    const check = (count: number) => requireExpected(count, expected, WORDS)
    const where = selected.isLimited
      ? await ruledMatches(tx, entity, selected.where)
      : selected.where
    const removal = { entity, where, actor, undo }
    const removed = await around({ db: tx, layers }, 'removeRecords', removal, async (used) => {
      const emptied = await emptyWhole(used.db, entity, selected, check)
      return emptied ?? removeRecords(used.db, entity, removal.where, actor)
    })
    check(removed.count)
    await recordAudit(tx, actor, {
      action: 'records.delete',
      objectType: entity.name,
      details: {
        count: removed.count,
        query: shortenedQuery(conditions),
        ...(ignored.length > 0 ? { ignored: [...ignored] } : {}),
        ...keptDetails(removed),
        ...anyEffects(removed),
      },
      requestId,
    })
    return removed
  })

/** Null for some of the records, and where others refer to the table. */
async function emptyWhole(
  tx: Db,
  { table }: Entity,
  { search, isLimited }: Selected,
  check: (count: number) => void,
): Promise<Removed | null> {
  const isWhole = search.where.length === 0 && !isLimited
  const count = isWhole ? await emptyTable(tx, table, check) : null
  return count === null ? null : { count, batchId: null, effects: [] }
}

/** Of a batch deletion; everything else is ignored. */
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
