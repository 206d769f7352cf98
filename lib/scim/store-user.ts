import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import { isSameRole } from '@/lib/auth/rights'
import { type ScimUserRow, scimUsers, type UserRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import {
  dropTokens,
  findUserByEmail,
  hasActiveAdministrator,
  insertUser,
  updateUser,
} from '@/lib/users/store'
import type { JsonObject } from '@/lib/values/json'
import { profileOf } from './profile-of'
import type { UserDraft } from './read-user'
import { refusal, scimError } from './scim-error'

/** A new account without a password. Throws `uniqueness` for a taken email. */
export async function insertManaged(tx: Db, draft: UserDraft): Promise<string> {
  const { email, active = true, externalId, attributes } = draft
  await requireFree(tx, email, null)
  const id = crypto.randomUUID()
  const profile = profileOf(attributes)
  const status = active ? ('ACTIVATED' as const) : ('DISABLED' as const)
  const activatedAt = active ? new Date() : null
  await insertUser(tx, { id, email, roles: [], profile, status, activatedAt })
  const profileKeys = Object.keys(profile)
  await tx.insert(scimUsers).values({ userId: id, externalId, attributes, profileKeys })
  return id
}

export async function findManaged(tx: Db, userId: string): Promise<ScimUserRow | null> {
  const [found] = await tx.select().from(scimUsers).where(eq(scimUsers.userId, userId))
  return found ?? null
}

/**
 * Throws `mutability` for an administrator whom the identity provider does not manage yet: it could take over the account
 * by changing its email.
 */
export function requireAdoptable(user: UserRow, managed: ScimUserRow | null): void {
  if (managed === null && isAdministrator(user))
    throw refusal(
      'This account is an administrator that SCIM does not manage; take the role ADMIN from it first, or leave it out',
    )
}

export const isAdministrator = ({ roles }: Pick<UserRow, 'roles'>): boolean =>
  roles.some((role) => isSameRole(role, 'ADMIN'))

/** Throws `mutability` when there was an active administrator, and would be none. */
export async function requireAdministratorLeft(tx: Db): Promise<void> {
  if (!(await hasActiveAdministrator(tx)))
    throw refusal('This is the last administrator; give another user the role ADMIN first')
}

/**
 * Writes what differs: the account, which is managed from then on. A deactivation ends its sessions and links. Returns the
 * names of what changed; none: no row was written. Throws `uniqueness` for a taken email.
 */
export async function storeManaged(
  tx: Db,
  before: UserRow,
  managed: ScimUserRow | null,
  draft: UserDraft,
): Promise<string[]> {
  const { email, active, externalId, attributes } = draft
  const profile = mergedProfile(before.profile, managed, attributes)
  const wanted = active === undefined ? before.status : statusFor(active)
  const status = wanted === before.status ? undefined : wanted
  const changes = {
    ...(email === before.email ? {} : { email }),
    ...(status ? { status } : {}),
    ...(isDeepStrictEqual(profile, before.profile) ? {} : { profile }),
  }
  const isKnown = managed !== null && managed.externalId === externalId
  const isSame = isKnown && isDeepStrictEqual(managed.attributes, attributes)
  if (isSame && Object.keys(changes).length === 0) return []
  if (changes.email !== undefined) await requireFree(tx, email, before.id)
  if (changes.email !== undefined || status) await dropTokens(tx, before.id)
  if (Object.keys(changes).length > 0) {
    const activatedAt = status === 'ACTIVATED' ? (before.activatedAt ?? new Date()) : undefined
    const endSessions = status !== undefined
    const set = { ...changes, ...(status ? passwordAfter(before) : {}), activatedAt }
    await updateUser(tx, before.id, set, { endSessions })
  }
  const row = { externalId, attributes, profileKeys: Object.keys(profileOf(attributes)) }
  await tx
    .insert(scimUsers)
    .values({ userId: before.id, ...row })
    .onConflictDoUpdate({ target: scimUsers.userId, set: { ...row, updatedAt: new Date() } })
  return [...Object.keys(changes), ...(isSame ? [] : ['attributes'])]
}

/** Who chose a password before the owner came need not be the owner, and one that was voided stays so. */
function passwordAfter({ status, activatedAt }: UserRow) {
  const wasActive = activatedAt !== null && (status === 'ACTIVATED' || status === 'DISABLED')
  return wasActive ? {} : { passwordHash: null, mustChangePassword: false }
}

const statusFor = (active: boolean): UserRow['status'] => (active ? 'ACTIVATED' : 'DISABLED')

/** With what the attributes say; what they said before and say no longer is gone, the rest stays. */
function mergedProfile(
  profile: JsonObject,
  managed: ScimUserRow | null,
  attributes: JsonObject,
): JsonObject {
  const rest = Object.entries(profile).filter(([key]) => !managed?.profileKeys.includes(key))
  return { ...Object.fromEntries(rest), ...profileOf(attributes) }
}

/** Throws `uniqueness` when the email is another account's. */
async function requireFree(tx: Db, email: string, id: string | null): Promise<void> {
  const found = await findUserByEmail(tx, email)
  if (found && found.id !== id)
    throw scimError('uniqueness', 'A user with this userName already exists')
}
