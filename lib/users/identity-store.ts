import { and, asc, eq } from 'drizzle-orm'
import { type ExternalIdentityRow, externalIdentities } from '@/lib/db/schema'
import { type Db, now } from '@/lib/db/sql'
import type { OidcProvider } from '@/lib/env'

/** Who signs in, as the provider knows them. */
export type ExternalIdentity = {
  provider: string
  issuer: string
  subject: string
  email: string | null
}
type Subject = Pick<ExternalIdentity, 'issuer' | 'subject'>

/** Issuers are compared without a slash at the end, which settings and providers write or leave out. */
export const canonicalIssuer = (issuer: string): string => issuer.replace(/\/+$/, '')

const isOf = ({ issuer, subject }: Subject) =>
  and(eq(externalIdentities.issuer, issuer), eq(externalIdentities.subject, subject))

/** The user with whom it is linked, or null. */
export async function findLinkedUser(db: Db, identity: Subject): Promise<string | null> {
  const [found] = await db
    .select({ userId: externalIdentities.userId })
    .from(externalIdentities)
    .where(isOf(identity))
  return found?.userId ?? null
}

/** Links it with the user, or notes its use. Returns the user with whom it is linked. */
export async function linkIdentity(
  tx: Db,
  userId: string,
  { provider, issuer, subject, email }: ExternalIdentity,
): Promise<string> {
  const used = { provider, email, lastUsedAt: now }
  const [row] = await tx
    .insert(externalIdentities)
    .values({ userId, issuer, subject, ...used })
    .onConflictDoUpdate({
      target: [externalIdentities.issuer, externalIdentities.subject],
      set: used,
    })
    .returning({ userId: externalIdentities.userId })
  return row?.userId ?? userId
}

const MAX_IDENTITIES = 100

/** Of one user, the first ones first. */
export const listIdentities = (db: Db, userId: string): Promise<ExternalIdentityRow[]> =>
  db
    .select()
    .from(externalIdentities)
    .where(eq(externalIdentities.userId, userId))
    .orderBy(asc(externalIdentities.createdAt), asc(externalIdentities.id))
    .limit(MAX_IDENTITIES)

/** Whether the user is linked with an account of this issuer. */
export async function isLinkedWith(db: Db, userId: string, issuer: string): Promise<boolean> {
  const found = await db
    .select({ id: externalIdentities.id })
    .from(externalIdentities)
    .where(and(eq(externalIdentities.userId, userId), eq(externalIdentities.issuer, issuer)))
    .limit(1)
  return found.length > 0
}

/** The provider from which the roles of the user come, or null when they are given here. */
export async function findRolesProvider(
  db: Db,
  providers: readonly OidcProvider[],
  userId: string,
): Promise<OidcProvider | null> {
  const sources = providers.filter(({ rolesSource }) => rolesSource === 'provider')
  if (sources.length === 0) return null
  const linked = new Set((await listIdentities(db, userId)).map(({ issuer }) => issuer))
  return sources.find(({ issuer }) => linked.has(canonicalIssuer(issuer))) ?? null
}
