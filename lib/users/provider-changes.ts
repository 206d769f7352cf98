import { type AuditActor, recordAudit } from '@/lib/audit/record-audit'
import { isSameRole } from '@/lib/auth/rights'
import type { UserRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { type ExternalIdentity, findLinkedUser, isLinkedWith, linkIdentity } from './identity-store'
import { ProviderRefusal, type ProviderRefusalCode } from './provider-refusal'
import type { ProviderCheck } from './provider-sessions'
import type { UserStatus } from './status'
import {
  dropTokens,
  hasActiveAdministrator,
  lockAdministrators,
  lockUser,
  updateUser,
} from './store'

/** What a sign-in by a provider does to the account: kept with the ticket where a second step follows. */
export type ProviderSignIn = ExternalIdentity & {
  /** The session at the provider, if it told one. */
  session: string | null
  /** Those the user has from now on; null where the provider does not decide them. */
  roles: string[] | null
  /** By which the provider is asked again about the session; null: it is not. */
  check: ProviderCheck | null
}

export const wayOf = ({ provider }: Pick<ExternalIdentity, 'provider'>) => `oidc:${provider}`

type Caller = { actor: AuditActor; requestId?: string }

/**
 * Links the account, activates one that waited for its owner, and gives it the roles of the provider, in the transaction
 * of the sign-in. The last administrator stays one. Throws `ProviderRefusal`.
 */
export async function applyProviderSignIn(
  tx: Db,
  userId: string,
  signIn: ProviderSignIn,
  caller: Caller,
): Promise<void> {
  if (signIn.roles) await lockAdministrators(tx)
  const before = await lockUser(tx, userId)
  const linked = await findLinkedUser(tx, signIn)
  requireMayEnter(before, linked !== null)
  // The account is locked: of two people with its email at the provider, one is linked.
  const isTaken = linked === null && (await isLinkedWith(tx, userId, signIn.issuer))
  if (isTaken || (await linkIdentity(tx, userId, signIn)) !== userId)
    throw new ProviderRefusal('OidcTaken', {}, userId)
  const note = noteOf(tx, userId, signIn, caller)
  if (linked === null) await note('users.link-identity', { email: signIn.email })
  if (before.status !== 'ACTIVATED') {
    await dropTokens(tx, userId)
    // Who chose the password before the owner came need not be the owner.
    const withoutPassword = { passwordHash: null, mustChangePassword: false }
    const activated = { status: 'ACTIVATED' as const, activatedAt: new Date() }
    await updateUser(tx, userId, { ...activated, ...withoutPassword })
    await note('users.activate')
  }
  if (signIn.roles) await giveRoles(tx, before, signIn.roles, note)
}

type Note = ReturnType<typeof noteOf>
const noteOf =
  (tx: Db, objectId: string, signIn: ProviderSignIn, { actor, requestId }: Caller) =>
  (action: string, details: Record<string, string | string[] | object | null> = {}) =>
    recordAudit(tx, actor, {
      action,
      objectType: 'user',
      objectId,
      details: { ...details, by: wayOf(signIn) },
      requestId,
    })

/** Gives a linked user the roles that the provider gives now, maybe none. Others than before end their sessions. */
export async function setRoles(
  tx: Db,
  userId: string,
  signIn: ProviderSignIn,
  caller: Caller,
): Promise<void> {
  await lockAdministrators(tx)
  const note = noteOf(tx, userId, signIn, caller)
  await giveRoles(tx, await lockUser(tx, userId), signIn.roles ?? [], note)
}

async function giveRoles(tx: Db, before: UserRow, roles: string[], note: Note): Promise<void> {
  if (isSameSet(before.roles, roles)) return
  await updateUser(tx, before.id, { roles })
  if (before.roles.some(isAdmin) && !(await hasActiveAdministrator(tx))) {
    await updateUser(tx, before.id, { roles: before.roles })
    return note('users.update', { changed: [], kept: 'the last administrator' })
  }
  await updateUser(tx, before.id, {}, { endSessions: true })
  await note('users.update', {
    changed: ['roles'],
    before: { roles: before.roles },
    after: { roles },
  })
}

const isAdmin = (role: string) => isSameRole(role, 'ADMIN')

const isSameSet = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((role) => other.some((same) => isSameRole(role, same)))

/**
 * Throws `ProviderRefusal` for an account that may not sign in. The provider's word that the email is the owner's activates one that is
 * linked now, but never makes a password valid again that an administrator has voided.
 */
export function requireMayEnter({ id, status, passwordHash }: UserRow, isLinked: boolean): void {
  if (status === 'ACTIVATED') return
  const awaitsOwner = status === 'REQUIRED_ACTIVATION' || passwordHash === null
  if (status === 'DISABLED' || isLinked || !awaitsOwner)
    throw new ProviderRefusal(CODES[status], {}, id)
}

const CODES: Record<Exclude<UserStatus, 'ACTIVATED'>, ProviderRefusalCode> = {
  REQUIRED_ACTIVATION: 'OidcNotActive',
  REQUIRED_RESET_PASSWORD: 'OidcReset',
  DISABLED: 'OidcDisabled',
}
