import 'server-only'
import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import { isSameRole } from '@/lib/auth/rights'
import { lower } from '@/lib/db/functions'
import { policies, roles } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { PolicyDefinition, RoleDefinition } from '@/lib/definitions/policy'
import { ownerNotes, requireSameName } from '@/lib/registry/definition-owner'
import type { DefineOutcome } from '@/lib/tables/define-outcome'
import { definitionTransaction } from '@/lib/tables/definition-transaction'

/**
 * Installs or changes a role inside the caller's transaction. Throws `DefinitionError` when an
 * installed role's name differs only in case.
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
 * `DefinitionError` when an installed policy's name differs only in case.
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
    const notes = [...ownerNotes(existing, pluginId), ...idleNotes(definition)]
    if (isDeepStrictEqual(existing?.definition, definition))
      return { status: 'unchanged', steps: [], notes }
    const values = { definition, pluginId, ...columnsOf(definition) }
    if (existing) await tx.update(policies).set(values).where(eq(policies.name, name))
    else await tx.insert(policies).values({ name, ...values })
    return { status: existing ? 'updated' : 'created', steps: [], notes }
  })

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
