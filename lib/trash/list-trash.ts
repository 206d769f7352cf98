import { type Actor, can, requireRight } from '@/lib/auth/rights'
import type { TrashBatchRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { mayRead, requireRead } from '@/lib/registry/may-read'
import { entitiesNamed, mergeEntity } from '@/lib/registry/registry-rows'
import type { RestoreConflict, TrashBatch, TrashQuery } from './contract'
import { holdsRecord } from './holds-record'
import { isThere, type Limits, limitsOf, openFields, requireThere } from './limits'
import { type Noted, notedOf } from './noted-batches'
import { requireUndoRights } from './restore-import'
import { entitiesInTrash, getBatch, selectBatches, selectConflicts, toConflict } from './store'

/**
 * The batches that `actor` may see or restore: deleted records of entities whose records it may delete, edits of those
 * that it may change and read, imports likewise, plugins for those who may install them, and changes of policies and roles for those who
 * manage security.
 */
export async function listTrash(
  deps: Deps,
  actor: Actor,
  { entity, record, ...page }: TrashQuery,
): Promise<{ batches: TrashBatch[]; total: number }> {
  const { db } = deps
  const limits = await limitsOf(deps, actor)
  // Whether a batch holds a record would tell of records that are hidden.
  if (record !== undefined && entity && limits.limited.has(entity)) return { batches: [], total: 0 }
  const visible = await visibleIn(db, limits, entity)
  const holds = record === undefined ? undefined : holdsRecord(record)
  const { batches, total } = await selectBatches(db, { ...visible, holds }, page)
  const queries = await queriesOf(db, limits, batches)
  return { batches: batches.map((row) => toBatch(row, queries)), total }
}

/** Whose batches `actor` may see: of one entity if given. */
export async function visibleIn(db: Db, limits: Limits, entity?: string) {
  const { actor } = limits
  const all = await entitiesInTrash(db)
  const of = (action: 'delete' | 'update') =>
    all.filter((name) => (!entity || name === entity) && can(actor, { entity: name, action }))
  const plugins = !entity && can(actor, 'plugins:install')
  const security = !entity && can(actor, 'security:manage')
  const [deleted, changed] = [of('delete'), of('update')]
  const readable = new Set<string>()
  for (const name of new Set([...deleted, ...changed]))
    if (await showsValues(db, actor, name)) readable.add(name)
  const isReadable = (name: string) => readable.has(name)
  const edited = changed.filter(isReadable)
  const imported = { created: deleted.filter(isReadable), changed: edited }
  return { deleted, edited, imported, plugins, security, isThere: isThere(limits) }
}

/** Their conditions, which hold values, for callers who may read all of them. */
async function queriesOf(db: Db, { actor, limited }: Limits, batches: readonly TrashBatchRow[]) {
  const ofRecords = batches.filter((batch) => isOfRecords(batch) && !limited.has(batch.entity))
  const shown = new Map<string, boolean>()
  for (const { entity } of ofRecords)
    if (!shown.has(entity)) shown.set(entity, await showsValues(db, actor, entity))
  const readable = ofRecords.filter(({ entity }) => shown.get(entity))
  return notedOf(
    db,
    readable.map(({ id }) => id),
  )
}

/**
 * One batch, with the conflicts of the last attempt to restore it; these show values, so callers without
 * the right to read get none. Throws `not_found`, `forbidden`.
 */
export async function getTrashBatch(
  deps: Deps,
  actor: Actor,
  batchId: string,
): Promise<TrashBatch & { conflicts: RestoreConflict[] }> {
  const { db } = deps
  const batch = await getBatch(db, batchId, { lock: false })
  if (batch.kind === 'plugin') {
    requireRight(actor, 'plugins:install')
    return { ...toBatch(batch, new Map()), conflicts: [] }
  }
  if (!isOfRecords(batch)) {
    requireRight(actor, 'security:manage')
    const found = await selectConflicts(db, batch)
    return { ...toBatch(batch, new Map()), conflicts: found.map((one) => toConflict(one)) }
  }
  if (batch.kind === 'import') requireUndoRights(actor, batch)
  else
    requireRight(actor, {
      entity: batch.entity,
      action: batch.kind === 'edit' ? 'update' : 'delete',
    })
  if (batch.kind !== 'records')
    await requireShown(db, actor, batch.entity, `An ${batch.kind} that can be undone`)
  const limits = await limitsOf(deps, actor)
  await requireThere(db, limits, batch)
  const conflicts = (await showsValues(db, actor, batch.entity))
    ? await selectConflicts(db, batch)
    : []
  const queries = await queriesOf(db, limits, [batch])
  const isOpen = openFields(limits, batch.entity)
  return {
    ...toBatch(batch, queries),
    conflicts: conflicts.map((one) => toConflict(one, isOpen)),
  }
}

export const isOfRecords = ({ kind }: Pick<TrashBatchRow, 'kind'>) =>
  kind === 'records' || kind === 'edit' || kind === 'import'

async function showsValues(db: Db, actor: Actor, name: string): Promise<boolean> {
  const [found] = await entitiesNamed(db, [name])
  if (found) return mayRead(actor, mergeEntity(found.row, found.schema))
  return can(actor, { entity: name, action: 'read' })
}

/** Throws as `requireRead` does; of an entity that is no longer installed, the right alone decides. */
export async function requireShown(
  db: Db,
  actor: Actor,
  name: string,
  part: string,
): Promise<void> {
  const [found] = await entitiesNamed(db, [name])
  if (found) requireRead(actor, mergeEntity(found.row, found.schema), part)
  else requireRight(actor, { entity: name, action: 'read' })
}

const toBatch = (row: TrashBatchRow, noted: ReadonlyMap<string, Noted>): TrashBatch => ({
  batchId: row.id,
  kind: row.kind,
  ...(isOfRecords(row) ? { entity: row.entity } : { entity: null }),
  ...(row.kind === 'policy' || row.kind === 'role' ? { name: row.entity } : {}),
  plugins: (row.removed?.plugins ?? []).map(({ id, name, version }) => ({
    id: String(id),
    name: String(name),
    version: typeof version === 'string' ? version : null,
  })),
  entities:
    row.removed?.tables.map(({ entity }) => entity) ?? (isOfRecords(row) ? [row.entity] : []),
  count: row.recordCount,
  query: null,
  ...(row.kind === 'import' ? { created: row.createdCount } : {}),
  ...noted.get(row.id),
  deletedBy: row.deletedBy,
  deletedAt: row.deletedAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
})
