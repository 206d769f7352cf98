import { AppError } from '@/lib/errors'

/** What may be done to the records of one entity. */
export type RecordAction = 'read' | 'write' | 'update' | 'delete'

/** What may be done apart from records. */
export type Permission =
  | 'plugins:read'
  | 'plugins:install'
  | 'users:manage'
  | 'images:read'
  | 'images:upload'
  | 'images:delete'
  | 'keys:manage'
  | 'system:read'

/** A right: a permission, or an action on the records of an entity (system entities are marked). */
export type Right = Permission | { entity: string; action: RecordAction }

const EDITOR: readonly Permission[] = ['images:read', 'images:upload', 'images:delete']
const VIEWER: readonly Permission[] = ['images:read']

/** Everyone who makes requests: rights come from `roles`, narrowed by a key's `scopes`. */
export type Actor = {
  type: 'user' | 'api_key'
  /** Of the user, or of the key. */
  id: string
  /** E-mail, or the key's name. */
  name: string
  /** The user, or the key's owner. */
  userId: string
  roles: readonly string[]
  /** `Entity:action`, or null for everything the roles allow. */
  scopes: readonly string[] | null
  /** Of the caller; null when unknown. */
  address: string | null
  /** Signed in with a password that was made for them: nothing else is open until they change it. */
  mustChangePassword?: boolean
}

/** Names that system entities have, and no other entity may take (in any case). */
export const isSystemEntity = (entity: string) => /^engine/i.test(entity)

/** The one table of rights. Roles are compared without regard to case; unknown ones grant nothing. */
export function can({ roles, scopes }: Pick<Actor, 'roles' | 'scopes'>, right: Right): boolean {
  const names = new Set(roles.map((role) => role.toUpperCase()))
  return allowedByRoles(names, right) && (scopes === null || allowedByScopes(scopes, right))
}

function allowedByRoles(roles: Set<string>, right: Right): boolean {
  if (roles.has('ADMIN')) return true
  if (typeof right === 'string') {
    return (
      (roles.has('EDITOR') && EDITOR.includes(right)) ||
      (roles.has('VIEWER') && VIEWER.includes(right))
    )
  }
  if (isSystemEntity(right.entity)) return false
  return roles.has('EDITOR') || (roles.has('VIEWER') && right.action === 'read')
}

function allowedByScopes(scopes: readonly string[], right: Right): boolean {
  if (typeof right === 'string') return scopes.includes(right)
  if (scopes.includes(`${right.entity}:${right.action}`) || scopes.includes(`${right.entity}:*`))
    return true
  if (isSystemEntity(right.entity)) return false
  return scopes.includes(`*:${right.action}`) || scopes.includes('*:*')
}

/** Throws `forbidden`, naming what is missing. */
export function requireRight(actor: Actor, right: Right): void {
  if (can(actor, right)) return
  const what = typeof right === 'string' ? right : `${right.entity}:${right.action}`
  const who = actor.type === 'api_key' ? 'This API key' : 'Your account'
  throw new AppError('forbidden', `${who} lacks the right "${what}"`)
}
