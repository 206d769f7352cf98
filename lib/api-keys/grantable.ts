import { requireGrantable } from '@/lib/auth/grant'
import {
  type Actor,
  can,
  PERMISSIONS,
  type Permission,
  RECORD_ACTIONS,
  type RecordAction,
  type Right,
  requireRight,
} from '@/lib/auth/rights'
import type { Db } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import { getKey } from './store'

/**
 * Throws `forbidden` when a key is used to issue a secret that is valid for longer than itself:
 * with it, a stolen key would outlive its own expiry.
 */
export async function requireGrantableExpiry(
  tx: Db,
  actor: Actor,
  expiresAt: Date | null,
): Promise<void> {
  if (actor.type !== 'api_key') return
  const { expiresAt: end } = await getKey(tx, actor.id)
  if (!end || (expiresAt && expiresAt <= end)) return
  const message = `This key expires at ${end.toISOString()}; a key it makes or rotates cannot outlive it`
  throw new AppError('forbidden', message)
}

/**
 * Throws `forbidden` unless the caller may manage security and has all rights of `roles`: whoever has the secret of a key
 * with roles of its own keeps them without an account.
 */
export async function requireGrantableRoles(
  tx: Db,
  actor: Actor,
  roles: readonly string[],
): Promise<void> {
  requireRight(actor, 'security:manage')
  await requireGrantable(tx, actor, roles)
}

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
