import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import { isSameRole } from '@/lib/auth/rights'
import { roleNameFault } from '@/lib/auth/role-name'
import { policies, roles } from '@/lib/db/schema'
import { type Db, lower } from '@/lib/db/sql'
import { DefinitionError, fault, toPointer, valueAt } from '@/lib/definitions/definition-faults'
import type { PolicyDefinition, RoleDefinition } from '@/lib/definitions/policy'
import type { Validation } from '@/lib/errors'
import { ownerNotes, requireSameName } from '@/lib/registry/definition-owner'
import { type DefineOutcome, definitionTransaction } from '@/lib/tables/definition-transaction'
import type { Json } from '@/lib/values/json'
import { faultsOfPolicy } from './check-policy'

/**
 * Installs or changes a role inside the caller's transaction. Throws `DefinitionError` when an
 * installed role's name differs only in case, one that was made here differs, or a new one's could be taken for another.
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
    const isSame = isDeepStrictEqual(existing?.definition, definition)
    requireNotLocal('role', isSame ? undefined : existing)
    const why = existing ? null : roleNameFault(name)
    if (why !== null) refuse([{ field: 'name', error: why }], definition as Json)
    const notes = ownerNotes(existing, pluginId)
    if (isSame && existing?.pluginId !== null) return { status: 'unchanged', steps: [], notes }
    const values = { definition, pluginId }
    if (existing) await tx.update(roles).set(values).where(eq(roles.name, name))
    else await tx.insert(roles).values({ name, ...values })
    return { status: existing ? 'updated' : 'created', steps: [], notes }
  })

/**
 * Installs or changes a policy inside the caller's transaction; it applies from the commit on. Throws
 * `DefinitionError` when an installed policy's name differs only in case, one that was made here differs, and for all
 * that `faultsOfPolicy` finds.
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
    const isSame = isDeepStrictEqual(existing?.definition, definition)
    requireNotLocal('policy', isSame ? undefined : existing)
    const before = existing?.definition
    const faults = await faultsOfPolicy(tx, definition, before, { needsEntities: false })
    refuse(faults, definition as Json)
    const notes = [...ownerNotes(existing, pluginId), ...idleNotes(definition)]
    // One that no longer fits is mended by another definition, not by the same again.
    if (isSame && existing?.pluginId !== null) return { status: 'unchanged', steps: [], notes }
    const values = { definition, pluginId, invalid: null, ...columnsOf(definition) }
    if (existing) await tx.update(policies).set(values).where(eq(policies.name, name))
    else await tx.insert(policies).values({ name, ...values })
    return { status: existing ? 'updated' : 'created', steps: [], notes }
  })

/** Throws `DefinitionError` for what administrators made here, which an archive must not replace unseen. */
function requireNotLocal(what: string, existing?: { name: string; pluginId: string | null }): void {
  if (existing?.pluginId !== null) return
  const message = `A ${what} of this name was made here and says something else; delete it, or give one of the two another name`
  throw new DefinitionError('Invalid definition', [fault('/name', message, existing.name)])
}

function refuse(faults: readonly Validation[], definition: Json): void {
  if (faults.length === 0) return
  const details = faults.map(({ field, error }) => {
    const path = field.split('.')
    return fault(toPointer(path), error, valueAt(definition, path))
  })
  throw new DefinitionError('Invalid definition', details)
}

/** What is stored of a policy beside its definition. */
export const columnsOf = (definition: PolicyDefinition) => ({
  principals: lowerCase(definition.principals),
  entities: lowerCase(definition.entities),
  actions: [...definition.actions],
  allow: definition.allow,
  priority: definition.priority,
})

const lowerCase = (names: readonly string[]) => [
  ...new Set(names.map((name) => name.toLowerCase())),
]

const idleNotes = ({ principals }: PolicyDefinition) =>
  principals.some((name) => isSameRole(name, 'ADMIN'))
    ? ['The role ADMIN may do everything, whatever policies say']
    : []
