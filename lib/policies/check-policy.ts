import { and, isNull, ne } from 'drizzle-orm'
import { faultsOfRoles } from '@/lib/auth/require-clear-roles'
import { policies } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { PolicyDefinition } from '@/lib/definitions/policy'
import type { Validation } from '@/lib/errors'
import { loadEntities } from '@/lib/registry/registry'
import { nameFault } from '@/lib/values/name-fault'
import { isLimited, policyFaults, unknownEntities } from './policy-faults'
import { cycleFaults } from './rule-cycles'

/**
 * All that is wrong with a policy that is new or replaces `before`: names that could be taken for others, and what
 * `policyFaults` and `cycleFaults` find. Entities that are not installed are faults of one that limits what it allows, and
 * of any if `needsEntities`. Call it while no definition changes.
 */
export async function faultsOfPolicy(
  tx: Db,
  definition: PolicyDefinition,
  before: PolicyDefinition | undefined,
  { needsEntities }: { needsEntities: boolean },
): Promise<Validation[]> {
  const names = await nameFaults(tx, definition, before)
  if (!needsEntities && !isLimited(definition)) return names
  const entities = await loadEntities(tx)
  const faults = [
    ...names,
    ...unknownEntities(definition, entities),
    ...policyFaults(definition, entities),
  ]
  if (faults.length > 0 || !isLimited(definition)) return faults
  return cycleFaults(definition, await others(tx, before?.name ?? definition.name), entities)
}

async function others(tx: Db, name: string): Promise<PolicyDefinition[]> {
  const found = await tx
    .select({ definition: policies.definition })
    .from(policies)
    .where(and(ne(policies.name, name), isNull(policies.invalid)))
  return found.map(({ definition }) => definition).filter(isLimited)
}

/** Of names that a policy brings; what is installed may stay as it is. */
async function nameFaults(
  tx: Db,
  { name, principals }: PolicyDefinition,
  before: PolicyDefinition | undefined,
): Promise<Validation[]> {
  const own = name === before?.name ? null : nameFault(name)
  const added = principals.filter((role) => !before?.principals.includes(role))
  const faults = await faultsOfRoles(tx, added)
  const ofRoles = principals.flatMap((role, at) => {
    const error = added.includes(role) ? faults.get(role) : undefined
    return error === undefined ? [] : [{ field: `principals.${at}`, error }]
  })
  return own === null ? ofRoles : [{ field: 'name', error: own }, ...ofRoles]
}
