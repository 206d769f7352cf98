import { sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { findEntity, registryChanged } from '@/lib/registry/registry'
import { ADDED_PREFIX, tableIndexes } from '@/lib/tables/table-indexes'
import { addedIndexName } from './added-index-name'
import { dropIndex } from './build-indexes'
import type { AddedIndexView } from './contract'
import { usedFieldOf } from './index-request'
import { stopMeasuring } from './measure'
import { findIndexes, lockEntity, saveAdded } from './store'
import { viewOf } from './view-of'

type Input = { entityName: string; name: string; actor: Actor; requestId: string }

/**
 * Removes an added index, also one that is being built. Throws `not_found`, and `conflict` for one of the
 * definition.
 */
export async function removeIndex(deps: Deps, input: Input): Promise<AddedIndexView> {
  const { db } = deps
  const entity = await findEntity(deps, input.entityName)
  const added = entity.addedIndexes.find((one) => addedIndexName(entity, one) === input.name)
  if (!added)
    throw refusal(
      tableIndexes(entity).some(({ name }) => name === input.name),
      input.name,
    )
  const found = await findIndexes(db, ADDED_PREFIX, entity.name)
  await db.transaction(async (tx) => {
    const present = await lockEntity(tx, entity.name)
    const others = present.addedIndexes.filter((one) => addedIndexName(present, one) !== input.name)
    if (others.length === present.addedIndexes.length) throw refusal(false, input.name) // meanwhile
    await saveAdded(tx, present, others)
    await recordAudit(tx, input.actor, {
      action: 'indexes.delete',
      objectType: entity.name,
      objectId: input.name,
      details: { kind: added.kind, unique: added.unique, fields: added.parts.map(usedFieldOf) },
      requestId: input.requestId,
    })
  })
  await registryChanged(deps)
  const builder = found.find(({ name }) => name === input.name)?.pid
  if (builder) await db.execute(sql`select pg_cancel_backend(${builder}::int)`)
  await dropIndex(deps, entity.table, input.name)
  await stopMeasuring(deps, entity, added)
  return viewOf(entity, added, found)
}

const refusal = (isOfDefinition: boolean, name: string) =>
  isOfDefinition
    ? new AppError('conflict', `The index "${name}" belongs to the definition; change that instead`)
    : new AppError('not_found', `The entity has no added index ${JSON.stringify(name)}`)
