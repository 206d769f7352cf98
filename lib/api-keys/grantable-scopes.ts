import {
  type Actor,
  can,
  PERMISSIONS,
  type Permission,
  RECORD_ACTIONS,
  type RecordAction,
  type Right,
} from '@/lib/auth/rights'
import { AppError } from '@/lib/errors'

/**
 * Throws `forbidden` for a scope that the caller does not have: a caller can't grant more rights
 * than its own. `null` means all rights of its owner.
 */
export function requireGrantableScopes(actor: Actor, scopes: readonly string[] | null): void {
  if (scopes === null && actor.scopes !== null)
    throw new AppError('forbidden', 'This key has scopes, so the keys it creates need scopes too')
  const excess = scopes?.find((scope) => rightsOf(scope).some((right) => !can(actor, right)))
  if (excess !== undefined)
    throw new AppError('forbidden', `You cannot grant the scope "${excess}": you do not have it`)
}

function rightsOf(scope: string): Right[] {
  if ((PERMISSIONS as readonly string[]).includes(scope)) return [scope as Permission]
  const [entity = '', action = ''] = scope.split(':')
  const actions = action === '*' ? RECORD_ACTIONS : [action as RecordAction]
  return actions.map((one) => ({ entity, action: one }))
}
