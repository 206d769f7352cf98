import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { findEntity } from '@/lib/registry/registry'

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
