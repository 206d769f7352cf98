import { type Actor, requireRight } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { requirePermitted } from '@/lib/registry/registry'
import type { WriteAction } from './write-rule'

/** Throws `forbidden` unless the definition permits the action, and `actor` has the right to it; for a guest `unauthenticated`. */
export function requireAllowed(actor: Actor, entity: Entity, action: WriteAction): void {
  requirePermitted(entity, action)
  requireRight(actor, { entity: entity.name, action })
}
