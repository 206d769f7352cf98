import { randomUUID } from 'node:crypto'
import { asc, eq, sql } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { requireGrantable } from '@/lib/auth/grant'
import { type Actor, GUEST_ROLE, isSameRole, requireRight } from '@/lib/auth/rights'
import { policies, roles } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { definitionTransaction } from '@/lib/tables/definition-transaction'
import { unknownName } from '@/lib/values/unknown-name'
import type { DeleteRoleQuery } from './contract'
import { columnsOf } from './define-policy'
import { type FormerState, keepFormer } from './former-states'
import { roleNames } from './list-roles'
import { requireGrant, requireTakeable } from './require-grant'
import { countHolders, type Holders, hasRole, takeRole } from './roles-of-holders'
import { type By, entryOf, localRole } from './save-role'

/**
 * Deletes a role. One in use only if the request says what becomes of its users, keys and policies, which a batch of the
 * trash restores with it. Throws `not_found`, `conflict` for one that is built in, of a plugin, or in use, with the
 * numbers, and `forbidden` for what the caller may not give or take.
 */
export const deleteRole = (
  { db }: Pick<Deps, 'db'>,
  roleName: string,
  { users, replacement }: DeleteRoleQuery,
  by: By,
): Promise<{ batchId: string }> =>
  definitionTransaction(db, async (tx) => {
    const { name, before } = await localRole(tx, roleName)
    const successor = replacement === undefined ? null : await knownRole(tx, replacement, name)
    const named = await policiesNaming(tx, name)
    const counts = { ...(await countHolders(tx, name)), policies: named.length }
    const isSettled = users === 'remove' || successor !== null
    if (!isSettled && Object.values(counts).some((count) => count > 0)) throw inUse(name, counts)
    if (counts.users > 0) requireRight(by.actor, 'users:manage')
    if (counts.users + counts.keys > 0) await requireTakeable(tx, by.actor, [name])
    const batchId = randomUUID()
    const others = await takeRole(tx, batchId, name, successor)
    const states: FormerState[] = await changePolicies(tx, named, { name, successor }, by.actor)
    // What is granted is the role as its new policies make it.
    await requireGrantable(tx, by.actor, successor === null ? [] : [successor])
    if (before) {
      await tx.delete(roles).where(eq(roles.name, name))
      states.unshift({ kind: 'role', id: name, name, before, after: null })
    }
    const details = { before, ...counts, ...(successor === null ? {} : { replacement: successor }) }
    await recordAudit(tx, by.actor, entryOf('delete', name, details, by))
    await keepFormer(tx, 'role', name, by.actor, states, { batchId, others })
    return { batchId }
  })

function inUse(name: string, counts: Holders & { policies: number }): AppError {
  const numbers = Object.entries(counts).map(([what, count]) => `${what}: ${count}`)
  const message = `The role "${name}" is in use (${numbers.join(', ')}); say what becomes of that: ?users=remove, or ?replacement=<role>`
  return new AppError('conflict', message, { meta: counts })
}

/** Throws `invalid_input` for a role that nothing names, that of guests, and the deleted one itself. */
async function knownRole(tx: Db, wanted: string, deleted: string): Promise<string> {
  const known = (await roleNames(tx)).filter(
    (name) => !isSameRole(name, deleted) && !isSameRole(name, GUEST_ROLE),
  )
  const found = known.find((name) => isSameRole(name, wanted))
  if (found !== undefined) return found
  const error = unknownName('role', wanted, known)
  throw new AppError('invalid_input', `replacement: ${error}`, {
    validations: [{ field: 'replacement', error }],
  })
}

type Named = typeof policies.$inferSelect

/** Those that were made here. */
const policiesNaming = (tx: Db, role: string): Promise<Named[]> =>
  tx
    .select()
    .from(policies)
    .where(sql`${policies.pluginId} is null and ${hasRole(sql`${policies.principals}`, role)}`)
    .orderBy(asc(policies.name))
    .for('update')

/** Policies about no other role are deleted. Throws `forbidden` for a change that grants what `actor` may not do. */
async function changePolicies(
  tx: Db,
  named: readonly Named[],
  role: { name: string; successor: string | null },
  actor: Actor,
): Promise<FormerState[]> {
  const states: FormerState[] = []
  for (const policy of named) {
    const { id, name, definition: before } = policy
    const principals = replaced(before.principals, role.name, role.successor)
    const after = principals.length === 0 ? null : { ...before, principals }
    requireGrant(actor, policy, after)
    const isPolicy = eq(policies.id, id)
    if (after)
      await tx
        .update(policies)
        .set({ definition: after, ...columnsOf(after) })
        .where(isPolicy)
    else await tx.delete(policies).where(isPolicy)
    states.push({ kind: 'policy', id, name, before, after })
  }
  return states
}

/** Without a role, or with another one in its place, each once. */
function replaced(principals: readonly string[], role: string, successor: string | null): string[] {
  const names = principals.flatMap((name) =>
    isSameRole(name, role) ? (successor === null ? [] : [successor]) : [name],
  )
  return names.filter((name, at) => names.findIndex((one) => isSameRole(one, name)) === at)
}
