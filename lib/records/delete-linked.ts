import { type SQL, sql } from 'drizzle-orm'
import { type Actor, can } from '@/lib/auth/rights'
import { ONE_AFTER_THE_OTHER } from '@/lib/db/cluster'
import { affectedRows, type Db, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { mayRead } from '@/lib/registry/may-read'
import { columnList } from '@/lib/rows/record-columns'
import type { JsonObject } from '@/lib/values/json'
import { describeBlockers, told } from './blockers'
import type { Blocker, Effect } from './contract'
import { type DeletionLinks, deletionLinks, hasDeletionLinks } from './deletion-links'
import { requireOwn } from './own-effects'
import {
  collectRemoved,
  countKeys,
  countStaying,
  dropRemoved,
  type RemovedKeys,
} from './removed-keys'

export type Removed = {
  count: number
  /** By which the records can be restored; null where nothing keeps them. */
  batchId: string | null
  /** What happened to records that refer to them. */
  effects: Effect[]
  /** For how long they are kept. */
  undoDays?: number
}

/** Removes the records that match for good, with what their deletion takes along. Throws as `deleteLinked` does. */
export async function removeRecords(
  tx: Db,
  entity: Entity,
  where: SQL,
  actor: Actor,
): Promise<Removed> {
  const linked = entity.isDistributed ? await deletionLinks(tx, entity) : null
  const count = linked ? 0 : await affectedRows(tx, plainDeletion(entity, where))
  const found = count === 0 && !linked ? await deletionLinks(tx, entity) : linked
  return found ? deleteLinked(tx, found, where, { actor }) : { count, batchId: null, effects: [] }
}

/** Deletes all records that match; none where that affects others, which `deleteLinked` does; of entities on nodes the caller knows. */
export const plainDeletion = (entity: Entity, where: SQL): SQL =>
  entity.isDistributed
    ? sql`delete from ${tableSql(entity.table)} where ${where}`
    : sql`delete from ${tableSql(entity.table)} where ${where} and not ${hasDeletionLinks(entity)}`

/** What a deletion does beyond the records that were asked for, and what prevents it. */
export type Effects = { count: number; effects: Effect[]; blockedBy: Blocker[] }

type Options = {
  /** Null: the engine itself, which may do everything. */
  actor: Actor | null
  /** Called before anything is deleted; returns the id of what it keeps. */
  keep?: (linked: DeletionLinks, removed: RemovedKeys) => Promise<string | null>
}

/**
 * Deletes the records that match `where` with those that go by references, the latter first. Throws `conflict` while records that stay
 * refer to one that goes, `forbidden` without the right to what happens to others.
 */
export async function deleteLinked(
  tx: Db,
  linked: DeletionLinks,
  where: SQL,
  { actor, keep }: Options,
): Promise<Effects & Removed> {
  const isOnNodes = [...linked.order, ...linked.links.map(({ from }) => from)].some(
    ({ isDistributed }) => isDistributed,
  )
  if (isOnNodes) await tx.execute(sql`select ${ONE_AFTER_THE_OTHER}`)
  const removed = await collectRemoved(tx, linked, where, { lock: true })
  const effects = await effectsOf(tx, linked, removed, actor)
  const { blockedBy, count } = effects
  if (blockedBy.length > 0) {
    const message = `${describeBlockers(blockedBy)} refer to records that would go; delete those first. Nothing was deleted`
    throw new AppError('conflict', message, { meta: { blockedBy } })
  }
  const batchId = count > 0 && keep ? await keep(linked, removed) : null
  for (const { name, table, keys } of linked.order.toReversed()) {
    const list = columnList(keys)
    await tx.execute(
      sql`delete from ${tableSql(table)} where (${list}) in (select ${list} from ${removed.get(name)})`,
    )
  }
  await dropRemoved(tx, removed)
  return { ...effects, batchId }
}

/** What a deletion would do; null where no reference does anything. Throws as `deleteLinked` does, but not for records that prevent it. */
export async function previewLinked(
  tx: Db,
  entity: Entity,
  where: SQL,
  actor: Actor,
): Promise<Effects | null> {
  const linked = await deletionLinks(tx, entity)
  if (!linked) return null
  const removed = await collectRemoved(tx, linked, where, { lock: false })
  const effects = await effectsOf(tx, linked, removed, actor)
  await dropRemoved(tx, removed)
  return effects
}

async function effectsOf(
  tx: Db,
  { order, links, entities }: DeletionLinks,
  removed: RemovedKeys,
  actor: Actor | null,
): Promise<Effects> {
  const found: Effects = { count: 0, effects: [], blockedBy: [] }
  const shown = (entity: Entity, count: number) => (!actor || mayRead(actor, entity) ? count : null)
  const linked = { order, links, entities }
  if (actor?.policies?.length) await requireOwn(tx, linked, removed, actor)
  for (const [at, entity] of order.entries()) {
    const keys = removed.get(entity.name)
    const count = keys ? await countKeys(tx, keys) : 0
    if (at === 0) found.count = count
    else if (count > 0) {
      requireEffect(actor, entity, 'delete')
      found.effects.push({ entity: entity.name, action: 'deleted', count: shown(entity, count) })
    }
  }
  for (const link of links) {
    if (link.onDelete === 'cascade') continue
    const count = await countStaying(tx, link, removed)
    if (count === 0) continue
    const { from, columns } = link
    const [field = ''] = columns
    const named = {
      entity: from.name,
      ...(actor ? told({ actor, entities }, from, field, count) : { field, count }),
    }
    if (link.onDelete === 'restrict') found.blockedBy.push(named)
    else {
      requireEffect(actor, from, 'update')
      found.effects.push({ ...named, action: 'emptied' })
    }
  }
  return found
}

/** Whether deleting records of the entity may affect those of others, by its present definitions. */
export function hasEffects({ name }: Entity, entities: readonly Entity[]): boolean {
  const names = affecting.get(entities) ?? new Set(entities.flatMap(namesWithEffects))
  affecting.set(entities, names)
  return names.has(name)
}

/** For lists that stay the same as long as all definitions are the same. */
const affecting = new WeakMap<readonly Entity[], ReadonlySet<string>>()

const namesWithEffects = ({ properties }: Entity): string[] =>
  properties.flatMap(({ rules: { reference } }) => (reference?.onDelete ? [reference.entity] : []))

const WORDS = { delete: 'would be deleted too', update: 'would lose their reference' } as const

function requireEffect(actor: Actor | null, entity: Entity, action: 'delete' | 'update'): void {
  const { name, definition } = entity
  if (!actor) return
  const isOpen = definition.permissions[action]
  if (isOpen && can(actor, { entity: name, action })) return
  const reason = isOpen
    ? `needs the right "${name}:${action}"`
    : `"${name}" forbids by its definition`
  throw new AppError('forbidden', `Records of "${name}" ${WORDS[action]}, which ${reason}`)
}

/** What a deletion did beyond the records that were asked for, for responses and the audit log; nothing when it did nothing. */
export const anyEffects = ({ effects }: { effects: Effect[] }): { effects?: Effect[] } =>
  effects.length > 0 ? { effects } : {}

/** Where they are kept, for the audit log. */
export const keptDetails = ({ batchId, undoDays }: Removed): JsonObject =>
  undoDays === undefined ? {} : { batchId, undoDays }
