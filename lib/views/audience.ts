import { type Actor, can, hasAccount } from '@/lib/auth/rights'
import type { SavedViewRow } from '@/lib/db/schema'
import { AppError } from '@/lib/errors'
import type { UpdateViewBody, Visibility } from './contract'

/** Who sees a view, as it is stored. */
export type Audience = Pick<SavedViewRow, 'shared' | 'role'>

export const visibilityOf = ({ shared, role }: Audience): Visibility =>
  shared ? 'everyone' : role === null ? 'private' : 'role'

/**
 * Who sees the view after what a body says, in either of its forms. Throws `invalid_input` where they contradict each
 * other, or a role is missing.
 */
export function audienceOf(body: UpdateViewBody, before: Audience): Audience {
  const { role } = body
  const visibility = body.visibility ?? impliedBy(body) ?? visibilityOf(before)
  if (body.shared !== undefined && body.shared !== (visibility === 'everyone'))
    throw invalid('shared', 'contradicts "visibility"')
  if (visibility !== 'role') {
    if (role) throw invalid('role', 'needs the visibility "role"')
    return { shared: visibility === 'everyone', role: null }
  }
  const named = role === undefined ? before.role : role
  if (!named) throw invalid('role', 'Name the role that sees the view')
  return { shared: false, role: named }
}

function impliedBy({ shared, role }: UpdateViewBody): Visibility | undefined {
  if (shared !== undefined) return shared ? 'everyone' : 'private'
  return role ? 'role' : undefined
}

/** Whether `role` is among `roles`; names of roles are case-insensitive. */
export const hasRole = (roles: readonly string[], role: string): boolean =>
  roles.some((own) => own.toLowerCase() === role.toLowerCase())

/** Whether the users with `role` see the view. */
export const isSeenByRole = ({ shared, role: only }: Audience, role: string): boolean =>
  shared || (only !== null && hasRole([only], role))

/** A key without an account sees what all see. */
export function isSeenBy(view: Audience & Pick<SavedViewRow, 'ownerId'>, actor: Actor): boolean {
  if (view.shared) return true
  if (!hasAccount(actor)) return false
  if (view.ownerId === actor.userId) return true
  return view.role !== null && (hasRole(actor.roles, view.role) || can(actor, 'users:manage'))
}

const invalid = (field: string, error: string) =>
  new AppError('invalid_input', `${field}: ${error}`, { validations: [{ field, error }] })
