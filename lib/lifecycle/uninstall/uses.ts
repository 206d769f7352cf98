import { type Actor, can, isSameRole } from '@/lib/auth/rights'
import { entityTypes, policies, schemas } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { SchemaDefinition, TypeDefinition } from '@/lib/definitions/definition'
import type { PolicyDefinition } from '@/lib/definitions/policy'
import { typeKey } from '@/lib/definitions/property-types'
import { countHolders } from '@/lib/policies/roles-of-holders'
import { type Planned, plannedOf } from './part-removal'
import type { Removal } from './removal'

/** What uses types and roles that would go, in words. Policies are named to those who may read them. */
export async function usesOf(
  db: Db,
  removal: Removal,
  actor: Actor,
  planned: Planned = [],
): Promise<string[]> {
  return [
    ...(await usesOfTypes(db, removal, planned)),
    ...(await usesOfRoles(db, removal, actor, planned)),
  ]
}

async function usesOfTypes(db: Db, removal: Removal, planned: Planned): Promise<string[]> {
  const going = new Set(removal.types.map(({ name }) => typeKey(name)))
  if (going.size === 0) return []
  const shapes = (await db.select().from(schemas)).filter(isStaying(removal.schemas))
  const types = (await db.select().from(entityTypes)).filter(isStaying(removal.types))
  const fields = shapes.flatMap(({ name, definition }) => {
    const { properties } = (plannedOf(planned, 'schema', name) ?? definition) as SchemaDefinition
    return properties
      .filter(({ ofType = '' }) => going.has(typeKey(ofType)))
      .map((one) => `The field "${one.name}" of "${name}" has the type "${one.ofType}"`)
  })
  const based = types.flatMap(({ name, definition }) => {
    const { baseType } = (plannedOf(planned, 'type', name) ?? definition) as TypeDefinition
    return going.has(typeKey(baseType)) ? [`The type "${name}" is based on "${baseType}"`] : []
  })
  return [...fields, ...based]
}

async function usesOfRoles(
  db: Db,
  removal: Removal,
  actor: Actor,
  planned: Planned,
): Promise<string[]> {
  if (removal.roles.length === 0) return []
  const rules = (await db.select().from(policies)).filter(isStaying(removal.policies))
  const found: string[] = []
  for (const { name: role } of removal.roles) {
    const { users, keys } = await countHolders(db, role)
    const named = rules.filter(({ name, definition }) => {
      const policy = (plannedOf(planned, 'policy', name) ?? definition) as PolicyDefinition
      return policy.principals.some((one) => isSameRole(one, role))
    })
    const mayRead = can(actor, 'security:manage')
    const names = named.map(({ name }) => `the policy "${name}"`)
    const by = [
      ...(users > 0 ? [counted(users, 'user')] : []),
      ...(keys > 0 ? [counted(keys, 'API key')] : []),
      ...(mayRead || named.length === 0 ? names : [counted(named.length, 'policy', 'policies')]),
    ]
    if (by.length > 0) found.push(`The role "${role}" is used by ${by.join(', ')}`)
  }
  return found
}

const isStaying = (going: readonly { name: string }[]) => (one: { name: string }) =>
  !going.some(({ name }) => name === one.name)

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
