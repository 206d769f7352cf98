import { databaseError } from '@/lib/db/errors'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { StaleDefinitionError } from '@/lib/registry/definition-version'
import { findEntity, forgetRegistry } from '@/lib/registry/registry'

const MAX_ATTEMPTS = 3

/**
 * Runs `work` with the entity from memory. When its definition has changed meanwhile, `work` must
 * write nothing and throw `StaleDefinitionError`, and runs again with the new one. Throws what
 * `writableEntity` does, and `unavailable` when the definition changes each time.
 */
export async function withCurrentEntity<T>(
  deps: Deps,
  name: string,
  action: Parameters<typeof writableEntity>[2],
  work: (entity: Entity) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const entity = await writableEntity(deps, name, action)
    try {
      return await work(entity)
    } catch (error) {
      if (!(await isStale(deps, entity, error))) throw error
    }
  }
  const message = `The definition of "${name}" is being changed; try again in a moment`
  throw new AppError('unavailable', message, { retryAfter: 1 })
}

async function isStale(deps: Deps, entity: Entity, error: unknown): Promise<boolean> {
  if (error instanceof StaleDefinitionError) {
    forgetRegistry(deps)
    return true
  }
  const code = databaseError(error)?.code
  if (!code || !OF_A_CHANGE.test(code)) return false
  forgetRegistry(deps)
  const current = await findEntity(deps, entity.name)
  return current.version !== entity.version || current.isDistributed !== entity.isDistributed
}

/**
 * May come of a change: a missing table or column, or one of another type; on a cluster a statement that tables on nodes don't take,
 * and shards that have been moved, which fail without a code of their own or like a node that is away.
 */
const OF_A_CHANGE = /^(42...|0A000|XX000|08006)$/

const VERBS = { write: 'new records', update: 'changes', delete: 'deletion' } as const

/** The entity, when its definition permits `action`; throws `forbidden` or `not_found`. */
export async function writableEntity(
  deps: Deps,
  name: string,
  action: keyof typeof VERBS,
): Promise<Entity> {
  const entity = await findEntity(deps, name)
  if (entity.definition.permissions[action]) return entity
  throw new AppError('forbidden', `The entity "${name}" forbids ${VERBS[action]} by its definition`)
}
