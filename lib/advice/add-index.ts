import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { placementOf } from '@/lib/db/cluster'
import type { Db } from '@/lib/db/sql'
import type { AddedIndex, Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { findEntity, registryChanged } from '@/lib/registry/registry'
import { addedIndexName } from './added-index-name'
import type { AddedIndexView, IndexBody } from './contract'
import { readIndexRequest } from './read-index-request'
import { servingIndex, specOf } from './serving-index'
import { startBuilding } from './start-building'
import { lockEntity, saveAdded } from './store'
import { viewOf } from './view-of'

/** Of one entity; each slows its writes. */
const MAX_ADDED = 16

type Input = { entityName: string; body: IndexBody; actor: Actor; requestId: string }

/**
 * Adds an index to an entity and begins to build it in the background. Throws `not_found`, `invalid_input` that
 * names every fault, and `conflict` when an index does the same, there are too many, or nodes can't keep it unique.
 */
export async function addIndex(deps: Deps, input: Input): Promise<AddedIndexView> {
  const { name } = await findEntity(deps, input.entityName)
  const view = await deps.db.transaction(async (tx) => {
    const entity = await lockEntity(tx, name)
    const added = { ...readIndexRequest(entity, input.body), createdAt: new Date().toISOString() }
    const view = viewOf(entity, added, [])
    requireNew(entity, added)
    await requireUniqueOnNodes(tx, entity, added)
    // One that failed may be tried again.
    const others = entity.addedIndexes.filter((one) => addedIndexName(entity, one) !== view.name)
    await saveAdded(tx, entity, [...others, added])
    await recordAudit(tx, input.actor, {
      action: 'indexes.create',
      objectType: name,
      objectId: view.name,
      details: { kind: view.kind, unique: view.unique, fields: view.fields },
      requestId: input.requestId,
    })
    return view
  })
  await registryChanged(deps)
  void startBuilding(deps)
  return view
}

function requireNew(entity: Entity, added: AddedIndex): void {
  if (!specOf(entity, added))
    throw new AppError('invalid_input', 'The table of the entity can’t have this index')
  const serving = servingIndex(entity, added)
  if (serving) throw new AppError('conflict', `An index does the same already: ${serving}`)
  if (entity.addedIndexes.length < MAX_ADDED) return
  throw new AppError(
    'conflict',
    `${entity.name} has ${MAX_ADDED} added indexes, the most it can have; drop one first`,
  )
}

/** A node of a cluster sees only its own records. */
async function requireUniqueOnNodes(
  tx: Db,
  { name, table, isDistributed }: Entity,
  { unique, parts }: AddedIndex,
): Promise<void> {
  const place = unique && isDistributed ? await placementOf(tx, table) : null
  if (place?.type !== 'distributed' || parts.some(({ column }) => column === place.by)) return
  throw new AppError(
    'conflict',
    `${name} is distributed by ${place.by}, and no node can tell whether other values are unique: add ${place.by} to the index, or make ${name} a reference table`,
  )
}
