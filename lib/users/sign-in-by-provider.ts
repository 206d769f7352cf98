import { recordAudit } from '@/lib/audit/record-audit'
import { can } from '@/lib/auth/rights'
import type { UserRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { issueTicket } from '@/lib/second-factors/challenge-store'
import { listMethods, type Method } from '@/lib/second-factors/factor-store'
import { findLinkedUser, isLinkedWith } from './identity-store'
import { type ProviderSignIn, requireMayEnter, setRoles, wayOf } from './provider-changes'
import { ProviderRefusal } from './provider-refusal'
import { recordSignIn, type SignedIn, type SignInDeps } from './record-sign-in'
import { findUser, findUserByEmail, insertUser } from './store'
import type { Visitor } from './visitor'

/** What a provider says about who signs in, as its settings read it. */
export type ProviderStatement = {
  signIn: ProviderSignIn
  /** `untrusted`: verified, but not in a domain for which the provider is trusted. */
  email: 'missing' | 'unverified' | 'untrusted' | 'trusted'
  /** It has checked a second factor. */
  strong: boolean
  /** Of a user who has no account yet; null: none is made. */
  newUserRoles: string[] | null
}

export type Step = 'password' | Method
/** A session, or what else is needed to begin one. */
export type ProviderOutcome =
  | { signedIn: SignedIn }
  | { ticket: string; methods: Step[]; email: string }

/**
 * Begins a session of the user whom a provider names. A user with a second factor, and an administrator who is
 * linked with the provider now, get a ticket instead. Throws `ProviderRefusal`.
 */
export async function signInByProvider(
  deps: SignInDeps & Pick<Deps, 'settings'>,
  statement: ProviderStatement,
  visitor: Visitor,
): Promise<ProviderOutcome> {
  try {
    return await decide(deps, statement, visitor)
  } catch (error) {
    // Another sign-in made the account or the link meanwhile: it is found now.
    if (!(error instanceof AppError && error.code === 'conflict')) throw error
    return decide(deps, statement, visitor)
  }
}

async function decide(
  deps: SignInDeps & Pick<Deps, 'settings'>,
  statement: ProviderStatement,
  visitor: Visitor,
): Promise<ProviderOutcome> {
  const { db } = deps
  const { signIn, strong } = statement
  const { user, linked } = await findAccount(db, statement)
  if (!user) return createUser(deps, statement, visitor)
  const needsProof = !linked && can({ roles: user.roles, scopes: null }, 'users:manage')
  // A ticket would be void: the proof comes after the account is active.
  requireMayEnter(user, linked || needsProof)
  if (signIn.roles?.length === 0) await refuseWithoutRoles(db, user, linked, signIn, visitor)
  const methods = await listMethods(db, user.id)
  if (needsProof && methods.length === 0 && !user.passwordHash)
    throw new ProviderRefusal('OidcUnconfirmed', {}, user.id)
  const asked: Step[] = needsProof && methods.length === 0 ? ['password'] : methods
  if (asked.length === 0 || (strong && !needsProof)) {
    const checked = { by: strong ? ('provider' as const) : null, signIn }
    return { signedIn: await recordSignIn(deps, user, visitor, checked) }
  }
  const ticket = await issueTicket(db, user, { signIn, asked })
  return { ticket, methods: asked, email: user.email }
}

type Account = { user: UserRow | null; linked: boolean }

/** By the link alone; without one, by an email for which the provider is trusted. */
async function findAccount(db: Db, { signIn, email }: ProviderStatement): Promise<Account> {
  const userId = await findLinkedUser(db, signIn)
  const linked = userId ? await findUser(db, userId) : null
  if (linked) return { user: linked, linked: true }
  if (signIn.email === null || email === 'missing') throw new ProviderRefusal('OidcNoEmail')
  if (email === 'unverified') throw new ProviderRefusal('OidcUnverified')
  if (email === 'untrusted') throw new ProviderRefusal('OidcDomain')
  const user = await findUserByEmail(db, signIn.email)
  if (!user || !(await isLinkedWith(db, user.id, signIn.issuer))) return { user, linked: false }
  // Another sign-in of the same person may have linked it meanwhile.
  if ((await findLinkedUser(db, signIn)) === user.id) return { user, linked: true }
  throw new ProviderRefusal('OidcTaken', {}, user.id)
}

async function refuseWithoutRoles(
  db: Db,
  user: UserRow,
  linked: boolean,
  signIn: ProviderSignIn,
  visitor: Visitor,
): Promise<void> {
  const caller = { actor: actorOf(user, visitor), requestId: visitor.requestId }
  if (linked) await db.transaction((tx) => setRoles(tx, user.id, signIn, caller))
  // The last administrator keeps the role, and signs in with it.
  const current = await findUser(db, user.id)
  if (!current?.roles.length || !linked) throw new ProviderRefusal('OidcNoRole', {}, user.id)
}

const actorOf = ({ id, email, roles }: UserRow, { address }: Visitor) =>
  ({ type: 'user', id, name: email, userId: id, roles, scopes: null, address }) as const

async function createUser(
  deps: SignInDeps & Pick<Deps, 'settings'>,
  { signIn, strong, newUserRoles }: ProviderStatement,
  visitor: Visitor,
): Promise<ProviderOutcome> {
  const { email } = signIn
  if (email === null || newUserRoles === null) throw new ProviderRefusal('OidcNoAccount')
  if (newUserRoles.length === 0) throw new ProviderRefusal('OidcNoRole')
  const user = { id: crypto.randomUUID(), email, roles: newUserRoles }
  const activated = { status: 'ACTIVATED' as const, activatedAt: new Date() }
  const insert = async (tx: Db) => {
    await insertUser(tx, { ...user, ...activated, profile: {} })
    await recordAudit(
      tx,
      { type: 'anonymous', address: visitor.address },
      {
        action: 'users.create',
        objectType: 'user',
        objectId: user.id,
        details: { after: { email, roles: newUserRoles, status: 'ACTIVATED' }, by: wayOf(signIn) },
        requestId: visitor.requestId,
      },
    )
  }
  const checked = { by: strong ? ('provider' as const) : null, spend: insert, signIn }
  const signedIn = await recordSignIn(deps, { ...user, lastSignInAt: null }, visitor, checked)
  return { signedIn }
}
