import { recordAudit } from '@/lib/audit/record-audit'
import { requireGrantable, requireNoStronger } from '@/lib/auth/grant'
import { requireClearRoles } from '@/lib/auth/require-clear-roles'
import { type Actor, isSameRole } from '@/lib/auth/rights'
import type { UserRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { JsonObject } from '@/lib/values/json'
import type { User } from './contract'
import { findRolesProvider, listIdentities } from './identity-store'
import { requireNotManaged, requireUnmanaged } from './managed'
import type { UserStatus } from './status'
import {
  deleteUser,
  dropTokens,
  hasActiveAdministrator,
  lockAdministrators,
  lockUser,
  updateUser as store,
  toUser,
} from './store'

type Changes = { roles?: string[]; profile?: JsonObject; status?: UserStatus; password?: string }
type Caller = { actor: Actor; requestId: string }

/**
 * Changes the given fields; `profile` is replaced as a whole. A password set here must be changed
 * at the next sign-in, and activates an account that waited for one. Changes of other fields than
 * the profile end the user's sessions. Throws `not_found`, `forbidden` for rights the caller lacks,
 * `invalid_input` for new roles whose names look like others, and `conflict` when no administrator would be left, an account without a password would be
 * activated, or a provider or SCIM manages what would be changed.
 */
export async function updateUser(
  { db, hashPassword, settings }: Pick<Deps, 'db' | 'hashPassword' | 'settings'>,
  userId: string,
  changes: Changes,
  { actor, requestId }: Caller,
): Promise<User> {
  if (changes.password && userId === actor.userId)
    throw new AppError('forbidden', 'Change your own password with PUT /api/users/me/password')
  if (changes.roles) await requireGrantable(db, actor, changes.roles)
  const passwordHash = changes.password ? await hashPassword(changes.password) : undefined
  return db.transaction(async (tx) => {
    await lockAdministrators(tx)
    const before = await lockUser(tx, userId)
    await requireNoStronger(tx, actor, before.roles)
    await requireClearRoles(tx, changes.roles ?? [], before.roles)
    if (changes.roles) await requireOwnRoles(tx, settings, before)
    await requireUnmanaged(tx, before, changes, settings)
    const after = await apply(tx, before, changes, passwordHash)
    await requireAdministrator(tx, before)
    await recordAudit(tx, actor, {
      action: 'users.update',
      objectType: 'user',
      objectId: userId,
      details: differences(before, after, changes),
      requestId,
    })
    return toUser(after)
  })
}

async function apply(
  tx: Db,
  before: UserRow,
  { roles, profile, status: wanted, password }: Changes,
  passwordHash: string | undefined,
): Promise<UserRow> {
  const waited = before.status === 'REQUIRED_RESET_PASSWORD' && password
  const status = wanted ?? (waited ? 'ACTIVATED' : undefined)
  const isActivated = status === 'ACTIVATED' && before.status !== 'ACTIVATED'
  const hasPassword = passwordHash || before.passwordHash
  if (isActivated && !hasPassword && (await listIdentities(tx, before.id)).length === 0)
    throw new AppError('conflict', 'This account has no password yet; set one to activate it')
  if (status === 'DISABLED') await dropTokens(tx, before.id)
  const activatedAt = status === 'ACTIVATED' ? (before.activatedAt ?? new Date()) : undefined
  const mustChangePassword = passwordHash ? true : undefined
  const set = { roles, profile, status, passwordHash, activatedAt, mustChangePassword }
  const endSessions = Boolean(roles || status || passwordHash)
  return store(tx, before.id, set, { endSessions })
}

/** Throws `conflict` when the roles come from a provider, which would give them again at the next sign-in. */
async function requireOwnRoles(tx: Db, { OIDC }: Deps['settings'], { id }: UserRow): Promise<void> {
  const source = await findRolesProvider(tx, OIDC, id)
  if (source)
    throw new AppError(
      'conflict',
      `The roles of this user come from ${source.label}; change them there`,
    )
}

/** Throws `conflict` when `before` was the last administrator who could sign in. */
export async function requireAdministrator(tx: Db, { roles, status }: UserRow): Promise<void> {
  const wasOne = status === 'ACTIVATED' && roles.some((role) => isSameRole(role, 'ADMIN'))
  if (wasOne && !(await hasActiveAdministrator(tx)))
    throw new AppError(
      'conflict',
      'This is the last administrator; give another user the role ADMIN first',
    )
}

function differences(before: UserRow, after: UserRow, changes: Changes): JsonObject {
  const view = ({ roles, status }: UserRow) => ({ roles, status })
  // A profile may contain anything, so it stays out of the log, which is append-only.
  return { changed: Object.keys(changes), before: view(before), after: view(after) }
}

/**
 * Deletes the user with their keys and links. Throws `not_found`, `forbidden` for a user who has
 * more rights than the caller, and `conflict` for the last administrator and for one whom SCIM manages.
 */
export const removeUser = (
  { db }: Pick<Deps, 'db'>,
  userId: string,
  { actor, requestId }: { actor: Actor; requestId: string },
): Promise<void> =>
  db.transaction(async (tx) => {
    await lockAdministrators(tx)
    const before = await lockUser(tx, userId)
    await requireNoStronger(tx, actor, before.roles)
    await requireNotManaged(tx, userId)
    await deleteUser(tx, userId)
    await requireAdministrator(tx, before)
    const { email, roles, status } = before
    await recordAudit(tx, actor, {
      action: 'users.delete',
      objectType: 'user',
      objectId: userId,
      details: { before: { email, roles, status } },
      requestId,
    })
  })
