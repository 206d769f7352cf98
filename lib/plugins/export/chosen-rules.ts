import { asc } from 'drizzle-orm'
import { type Actor, requireRight } from '@/lib/auth/rights'
import { policies, roles } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { PolicyDefinition, RoleDefinition } from '@/lib/definitions/policy'
import type { Validation } from '@/lib/errors'
import { suggestion } from '@/lib/values/nearest'

/** The installed roles of these names; adds unknown ones to `faults`. Throws `forbidden`. */
export async function chosenRoles(
  db: Db,
  actor: Actor,
  names: readonly string[],
  faults: Validation[],
): Promise<RoleDefinition[]> {
  if (names.length === 0) return []
  requireRight(actor, { entity: 'EngineRoles', action: 'read' })
  return pick('roles', await db.select().from(roles).orderBy(asc(roles.name)), names, faults)
}

/** The same for policies. */
export async function chosenPolicies(
  db: Db,
  actor: Actor,
  names: readonly string[],
  faults: Validation[],
): Promise<PolicyDefinition[]> {
  if (names.length === 0) return []
  requireRight(actor, { entity: 'EnginePolicies', action: 'read' })
  const found = await db.select().from(policies).orderBy(asc(policies.name))
  return pick('policies', found, names, faults)
}

function pick<T>(
  kind: string,
  found: readonly { name: string; definition: T }[],
  names: readonly string[],
  faults: Validation[],
): T[] {
  for (const [at, name] of names.entries()) {
    if (found.some((one) => one.name === name)) continue
    const known = found.map((one) => one.name)
    const error = `"${name}" is not installed${suggestion(name, known)}`
    faults.push({ field: `${kind}.${at}`, error })
  }
  return found.filter(({ name }) => names.includes(name)).map(({ definition }) => definition)
}
