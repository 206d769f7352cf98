import type { Actor } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import type { SearchTarget } from '@/lib/registry/target'

type Known = Pick<Actor, 'scopes' | 'userId'> & {
  entities: readonly Entity[]
  targets: Map<Entity, SearchTarget>
}

// The roles of a caller are one object for as long as its credential is known.
const known = new WeakMap<Actor['roles'], Known>()

/**
 * What was made of entities for this reader, as long as its rights and the list of all entities are the same objects; null for one
 * of whom policies say more, which may be of this moment.
 */
export function targetsFor(
  { roles, policies = [], scopes, userId }: Actor,
  entities: readonly Entity[],
): Map<Entity, SearchTarget> | null {
  if (policies.length > 0) return null
  const last = known.get(roles)
  if (last?.scopes === scopes && last.userId === userId && last.entities === entities)
    return last.targets
  const targets = new Map<Entity, SearchTarget>()
  known.set(roles, { scopes, userId, entities, targets })
  return targets
}

/** Asks `find` for each name once, unless it finds nothing. */
export function foundOnce<T>(find: (name: string) => T): (name: string) => T {
  const found = new Map<string, T>()
  return (name) => {
    const before = found.get(name)
    if (before !== undefined) return before
    const now = find(name)
    if (now !== null) found.set(name, now)
    return now
  }
}
