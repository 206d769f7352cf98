import { sql } from 'drizzle-orm'
import { passkeys, secondFactorRoles, totpFactors, users } from '@/lib/db/schema'
import { foldedRole } from '@/lib/db/sql'

/** Whether the user of a row of `users` has an authenticator app or a passkey. */
export const hasSecondFactor = sql<boolean>`(
  exists (select from ${totpFactors} where ${totpFactors.userId} = ${users.id})
  or exists (select from ${passkeys} where ${passkeys.userId} = ${users.id}))`

/** Whether one of the roles of a row of `users` requires a second factor; names are case-insensitive. */
export const requiresSecondFactor = sql<boolean>`exists (
  select from ${secondFactorRoles} where ${foldedRole(secondFactorRoles.role)} in (
    select ${foldedRole(sql`name`)} from unnest(${users.roles}) name))`
