import { isDeepStrictEqual } from 'node:util'
import { and, asc, eq, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { requireGrantable } from '@/lib/auth/grant'
import { type Actor, requireRight } from '@/lib/auth/rights'
import { policies, roles, type TrashProblem, trashRecords } from '@/lib/db/schema'
import { type Db, lower } from '@/lib/db/sql'
import type { PolicyDefinition, RoleDefinition } from '@/lib/definitions/policy'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { definitionTransaction } from '@/lib/tables/definition-transaction'
import type { Restored } from '@/lib/trash/restore-batch'
import {
  clearProblems,
  getBatch,
  removeRestored,
  selectConflicts,
  toConflict,
} from '@/lib/trash/store'
import type { Json, JsonObject } from '@/lib/values/json'
import { columnsOf } from './define-policy'
import type { FormerState } from './former-states'
import { requireGrant, requireTakeable } from './require-grant'
import { readHolders, restoreRoles } from './roles-of-holders'
import { requireSound } from './save-policy'

type RestoreFormer = { batchId: string; actor: Actor; requestId: string }

/**
 * Takes a change of a policy or a role back, with what it made of others. What was changed since, or no longer fits,
 * stays as it is. One transaction. Throws `not_found`, and `forbidden` for what the caller could not make.
 */
export const restoreFormer = (
  { db }: Pick<Deps, 'db'>,
  { batchId, actor, requestId }: RestoreFormer,
): Promise<Restored> =>
  definitionTransaction(db, async (tx) => {
    const batch = await getBatch(tx, batchId, { lock: true })
    requireRight(actor, 'security:manage')
    await clearProblems(tx, batchId)
    const found = await tx
      .select({ id: trashRecords.id, data: trashRecords.data })
      .from(trashRecords)
      .where(
        and(
          eq(trashRecords.batchId, batchId),
          sql`${trashRecords.data} ->> 'kind' in ('policy', 'role')`,
        ),
      )
      .orderBy(asc(trashRecords.id))
    for (const { id, data } of found) {
      const problem = await restoreOne(tx, data as FormerState, actor)
      if (problem) await tx.update(trashRecords).set({ problem }).where(eq(trashRecords.id, id))
    }
    if (batch.kind === 'role') await requireRoleBack(tx, actor, batch)
    await restoreRoles(tx, batchId)
    const isLeft = and(eq(trashRecords.batchId, batchId), sql`${trashRecords.problem} is not null`)
    const conflictCount = await tx.$count(trashRecords, isLeft)
    const restored = batch.recordCount - conflictCount
    await recordAudit(tx, actor, {
      ...{ action: `${batch.kind === 'role' ? 'roles' : 'policies'}.restore`, requestId },
      ...{ objectType: batch.kind, objectId: batch.entity },
      details: { batchId, restored, conflicts: conflictCount },
    })
    const conflicts = conflictCount > 0 ? await selectConflicts(tx, batch) : []
    await removeRestored(tx, batch, restored)
    return { restored, conflicts: conflicts.map((one) => toConflict(one)), conflictCount }
  })

/** Throws `forbidden` unless `actor` may give the role back, and take away the one that was given for it. */
async function requireRoleBack(
  tx: Db,
  actor: Actor,
  { id, entity: role }: { id: string; entity: string },
): Promise<void> {
  const { users, taken } = await readHolders(tx, id)
  if (users > 0) requireRight(actor, 'users:manage')
  await requireGrantable(tx, actor, [role])
  await requireTakeable(tx, actor, taken)
}

/** Returns what stands in the way. */
function restoreOne(tx: Db, state: FormerState, actor: Actor): Promise<TrashProblem | null> {
  if (state.kind === 'policy') return restorePolicy(tx, state, actor)
  if (state.kind === 'role') return restoreRole(tx, state)
  throw new Error('Users and keys are restored together')
}

async function restorePolicy(
  tx: Db,
  { id, before, after }: FormerState & { kind: 'policy' },
  actor: Actor,
): Promise<TrashProblem | null> {
  const [present] = await tx.select().from(policies).where(eq(policies.id, id)).for('update')
  const changed = changedSince(present?.definition, after)
  if (changed) return changed
  if (!before) {
    requireGrant(actor, present, null)
    await tx.delete(policies).where(eq(policies.id, id))
    return null
  }
  try {
    await requireSound(tx, before, present, actor)
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'forbidden') throw error
    if (error.code === 'conflict')
      return { reason: 'unique-taken', fields: ['name'], value: before.name }
    const fields = (error.options.validations ?? []).map(({ field }) => field)
    const value = formerValue(before, fields[0] ?? '')
    return { reason: 'does-not-fit', fields: fields.slice(0, 1), value }
  }
  const values = { name: before.name, definition: before, invalid: null, ...columnsOf(before) }
  if (present) await tx.update(policies).set(values).where(eq(policies.id, id))
  else await tx.insert(policies).values({ id, pluginId: null, ...values })
  return null
}

async function restoreRole(
  tx: Db,
  { name, before, after }: FormerState & { kind: 'role' },
): Promise<TrashProblem | null> {
  const [present] = await tx
    .select()
    .from(roles)
    .where(eq(lower(roles.name), lower(name)))
    .for('update')
  const changed = changedSince(present?.definition, after)
  if (changed) return changed
  if (!before) await tx.delete(roles).where(eq(roles.name, name))
  else if (present)
    await tx.update(roles).set({ definition: before }).where(eq(roles.name, present.name))
  else await tx.insert(roles).values({ name, pluginId: null, definition: before })
  return null
}

type Definition = PolicyDefinition | RoleDefinition

function changedSince(
  present: Definition | undefined,
  after: Definition | null,
): TrashProblem | null {
  if (isDeepStrictEqual(present ?? null, after)) return null
  if (!present) return { reason: 'record-gone', fields: [], value: null }
  if (!after) return { reason: 'unique-taken', fields: ['name'], value: present.name }
  const names = Object.keys({ ...after, ...present })
  const field = names.find((name) => !isDeepStrictEqual(after[name], present[name])) ?? 'name'
  return { reason: 'changed-since', fields: [field], value: (present[field] ?? null) as Json }
}

const formerValue = (definition: PolicyDefinition, place: string): Json =>
  ((definition as JsonObject)[place.split('.')[0] ?? ''] ?? null) as Json
