import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import { faultsOfRoles } from '@/lib/auth/require-clear-roles'
import { isSameRole } from '@/lib/auth/rights'
import { roleNameFault } from '@/lib/auth/role-name'
import { policies, roles } from '@/lib/db/schema'
import { type Db, lower } from '@/lib/db/sql'
import { DefinitionError, fault } from '@/lib/definitions/definition-faults'
import type { PolicyDefinition, RoleDefinition } from '@/lib/definitions/policy'
import { ownerNotes, requireSameName } from '@/lib/registry/definition-owner'
import { type DefineOutcome, definitionTransaction } from '@/lib/tables/definition-transaction'
import { nameFault } from '@/lib/values/name-fault'

/**
 * Installs or changes a role inside the caller's transaction. Throws `DefinitionError` when an
 * installed role's name differs only in case, or a new one's could be taken for another.
 */
export const defineRole = (
  db: Db,
  definition: RoleDefinition,
  pluginId: string,
): Promise<DefineOutcome> =>
  definitionTransaction(db, async (tx) => {
    const { name } = definition
    const [existing] = await tx
      .select()
      .from(roles)
      .where(eq(lower(roles.name), lower(name)))
    requireSameName('role', existing?.name, name)
    if (!existing) requireClear([{ pointer: '/name', name, why: roleNameFault(name) }])
    const notes = ownerNotes(existing, pluginId)
    if (isDeepStrictEqual(existing?.definition, definition))
      return { status: 'unchanged', steps: [], notes }
    const values = { definition, pluginId }
    if (existing) await tx.update(roles).set(values).where(eq(roles.name, name))
    else await tx.insert(roles).values({ name, ...values })
    return { status: existing ? 'updated' : 'created', steps: [], notes }
  })

/**
 * Installs or changes a policy inside the caller's transaction; it applies from the commit on. Throws
 * `DefinitionError` when an installed policy's name differs only in case, or a name that is new could be taken for another.
 */
export const definePolicy = (
  db: Db,
  definition: PolicyDefinition,
  pluginId: string,
): Promise<DefineOutcome> =>
  definitionTransaction(db, async (tx) => {
    const { name } = definition
    const [existing] = await tx
      .select()
      .from(policies)
      .where(eq(lower(policies.name), lower(name)))
    requireSameName('policy', existing?.name, name)
    requireClear(await namesIn(db, definition, existing?.definition))
    const notes = [...ownerNotes(existing, pluginId), ...idleNotes(definition)]
    if (isDeepStrictEqual(existing?.definition, definition) && existing?.invalid === null)
      return { status: 'unchanged', steps: [], notes }
    const values = { definition, pluginId, invalid: null, ...columnsOf(definition) }
    if (existing) await tx.update(policies).set(values).where(eq(policies.name, name))
    else await tx.insert(policies).values({ name, ...values })
    return { status: existing ? 'updated' : 'created', steps: [], notes }
  })

type Named = { pointer: string; name: string; why: string | null }

/** The names that a policy brings; what is installed may stay as it is. */
async function namesIn(
  db: Db,
  { name, principals }: PolicyDefinition,
  before?: PolicyDefinition,
): Promise<Named[]> {
  const own = before ? [] : [{ pointer: '/name', name, why: nameFault(name) }]
  const roles = principals.map((role, at) => ({ name: role, pointer: `/principals/${at}` }))
  const added = roles.filter((role) => !before?.principals.includes(role.name))
  const faults = await faultsOfRoles(
    db,
    added.map((role) => role.name),
  )
  return [...own, ...added.map((role) => ({ ...role, why: faults.get(role.name) ?? null }))]
}

/** Throws `DefinitionError` for names that people could take for others. */
function requireClear(names: readonly Named[]): void {
  const faults = names.flatMap(({ pointer, name, why }) =>
    why === null ? [] : [fault(pointer, why, name)],
  )
  if (faults.length > 0) throw new DefinitionError('Invalid definition', faults)
}

const columnsOf = ({ principals, entities, actions, allow, priority }: PolicyDefinition) => ({
  principals: lowerCase(principals),
  entities: lowerCase(entities),
  actions: [...actions],
  allow,
  priority,
})

const lowerCase = (names: readonly string[]) => [
  ...new Set(names.map((name) => name.toLowerCase())),
]

const idleNotes = ({ principals }: PolicyDefinition) =>
  principals.some((name) => isSameRole(name, 'ADMIN'))
    ? ['The role ADMIN may do everything, whatever policies say']
    : []
