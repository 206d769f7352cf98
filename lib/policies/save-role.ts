import { isDeepStrictEqual } from 'node:util'
import { eq, isNull } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { requireClearRoles } from '@/lib/auth/require-clear-roles'
import { type Actor, isSameRole, RESERVED_ROLES } from '@/lib/auth/rights'
import { roles } from '@/lib/db/schema'
import { type Db, lower } from '@/lib/db/sql'
import type { RoleDefinition } from '@/lib/definitions/policy'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { definitionTransaction } from '@/lib/tables/definition-transaction'
import type { JsonObject } from '@/lib/values/json'
import type { CreateRoleBody, Role, UpdateRoleBody } from './contract'
import { keepFormer } from './former-states'
import { findRole, readRole } from './list-roles'

/** Beside those of plugins. */
const MAX_ROLES = 1_000

export type By = { actor: Actor; requestId: string }

/**
 * Describes a role, which grants nothing by itself. Throws `conflict` for one that is described already or built in and beyond
 * `MAX_ROLES`, and
 * `invalid_input` for a name that could be taken for another.
 */
export const createRole = (
  { db }: Pick<Deps, 'db'>,
  definition: CreateRoleBody,
  by: By,
): Promise<Role> =>
  definitionTransaction(db, async (tx) => {
    const { name } = definition
    requireNotBuiltIn(name)
    const present = await describedRole(tx, name)
    if (present) throw new AppError('conflict', `There is a role "${present.name}" already`)
    await requireClearRoles(tx, [name], [], () => 'name')
    if ((await tx.$count(roles, isNull(roles.pluginId))) >= MAX_ROLES)
      throw new AppError('conflict', `There are ${MAX_ROLES} roles, the most that are kept`)
    await tx.insert(roles).values({ name, pluginId: null, definition })
    await recordAudit(tx, by.actor, entryOf('create', name, { after: definition }, by))
    return readRole(tx, name)
  })

/**
 * Changes how a role is described; one that users have or policies name is described by that. Throws `not_found`, and
 * `conflict` for one that is built in or of a plugin.
 */
export const updateRole = (
  { db }: Pick<Deps, 'db'>,
  roleName: string,
  changes: UpdateRoleBody,
  by: By,
): Promise<{ role: Role; batchId?: string }> =>
  definitionTransaction(db, async (tx) => {
    const { name, before } = await localRole(tx, roleName)
    const merged = Object.entries({ name, ...before, ...changes })
    const after = Object.fromEntries(
      merged.filter(([, value]) => value !== null && value !== undefined),
    ) as RoleDefinition
    if (isDeepStrictEqual(before, after)) return { role: await readRole(tx, name) }
    if (before) await tx.update(roles).set({ definition: after }).where(eq(roles.name, name))
    else await tx.insert(roles).values({ name, pluginId: null, definition: after })
    await recordAudit(tx, by.actor, entryOf('update', name, { before, after }, by))
    const batchId = await keepFormer(tx, 'role', name, by.actor, [
      { kind: 'role', id: name, name, before, after },
    ])
    return { role: await readRole(tx, name), batchId }
  })

type Local = { name: string; before: RoleDefinition | null }

/** A role that may be changed here; `before`: how it is described. Throws `not_found` and `conflict`. */
export async function localRole(tx: Db, name: string): Promise<Local> {
  requireNotBuiltIn(name)
  const described = await describedRole(tx, name)
  if (described && described.pluginId !== null)
    throw new AppError(
      'conflict',
      `The role "${described.name}" belongs to the plugin ${described.pluginId}, which alone changes it; make a policy here that denies what it may do`,
    )
  const known = described ?? (await findRole(tx, name))
  if (!known) throw new AppError('not_found', 'There is no such role')
  return { name: known.name, before: described?.definition ?? null }
}

async function describedRole(tx: Db, name: string) {
  const [found] = await tx
    .select()
    .from(roles)
    .where(eq(lower(roles.name), lower(name)))
    .for('update')
  return found
}

function requireNotBuiltIn(name: string): void {
  const builtIn = RESERVED_ROLES.find((role) => isSameRole(role, name))
  if (!builtIn) return
  const advice = builtIn === 'ADMIN' ? '' : '; make a policy here that denies what it may do'
  throw new AppError('conflict', `The role ${builtIn} is built in, and stays as it is${advice}`)
}

export const entryOf = (action: string, name: string, details: object, { requestId }: By) => ({
  action: `roles.${action}`,
  objectType: 'role',
  objectId: name,
  details: details as JsonObject,
  requestId,
})
