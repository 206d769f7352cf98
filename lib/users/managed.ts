import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import { isSameRole } from '@/lib/auth/rights'
import { scimTokens, scimUsers, type UserRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Env } from '@/lib/env'
import { AppError } from '@/lib/errors'
import type { JsonObject } from '@/lib/values/json'
import type { User } from './contract'
import type { UserStatus } from './status'

type Settings = Pick<Env, 'SCIM_ROLES_MAP'>

/** What SCIM manages of an account besides its status; null where it manages nothing, as without a token. */
export async function findManagement(
  db: Db,
  userId: string,
  { SCIM_ROLES_MAP }: Settings,
): Promise<NonNullable<User['managed']> | null> {
  const [found] = await db
    .select({ profile: scimUsers.profileKeys })
    .from(scimUsers)
    .innerJoin(scimTokens, eq(scimTokens.only, true))
    .where(eq(scimUsers.userId, userId))
  if (!found) return null
  return {
    by: 'SCIM',
    profile: found.profile,
    roles: SCIM_ROLES_MAP.flatMap((entry) => entry.roles),
  }
}

type Changes = { roles?: string[]; profile?: JsonObject; status?: UserStatus }

/** Throws `conflict` when SCIM manages what would be changed, naming it. */
export async function requireUnmanaged(
  tx: Db,
  before: UserRow,
  { roles, profile, status }: Changes,
  settings: Settings,
): Promise<void> {
  const managed = await findManagement(tx, before.id, settings)
  if (!managed) return
  if (status !== undefined && status !== before.status) throw managedByScim('The status')
  const role = roles && managed.roles.find((name) => has(roles, name) !== has(before.roles, name))
  if (role !== undefined) throw managedByScim(`The role "${role}"`)
  const key =
    profile &&
    managed.profile.find((name) => !isDeepStrictEqual(profile[name], before.profile[name]))
  if (key !== undefined) throw managedByScim(`"${key}" of the profile`)
}

const has = (roles: readonly string[], name: string) => roles.some((role) => isSameRole(role, name))

/** Throws `conflict` for an account that SCIM manages. */
export async function requireNotManaged(tx: Db, userId: string): Promise<void> {
  if (await findManagement(tx, userId, { SCIM_ROLES_MAP: [] })) throw managedByScim('The account')
}

const managedByScim = (what: string) =>
  new AppError(
    'conflict',
    `${what} is managed by SCIM: change it at the identity provider, or revoke the SCIM token`,
  )
