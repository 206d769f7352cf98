import { textArray } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { credentialsOf } from './credential-cache'
import { callerAddress, networkOf } from './request-origin'
import { type Actor, GUEST_ROLE } from './rights'
import { selectRules } from './rules-for'
import { readSessionCookie } from './session-cookie'

type Source = Pick<Deps, 'db' | 'bus' | 'settings'>

/**
 * The caller of a request without a credential, where `ANONYMOUS_ACCESS` lets such in; else null. One that shows a
 * credential, however invalid, is no guest.
 */
export async function guestOf(
  { headers }: Pick<Request, 'headers'>,
  deps: Source,
): Promise<Actor | null> {
  const { settings, db } = deps
  if (!settings.ANONYMOUS_ACCESS || hasCredential(headers, settings)) return null
  const roles = [GUEST_ROLE]
  const policies = await credentialsOf(deps).find('guest', async () => ({
    value: await selectRules(db, textArray(roles)),
    expiresInMs: null,
  }))
  const address = callerAddress(headers, settings.TRUST_PROXY)
  const who = { type: 'anonymous', id: `guest ${networkOf(address)}`, name: 'Guest' } as const
  return { ...who, userId: null, roles, scopes: null, policies: policies ?? [], address }
}

/** Any `Authorization`, of other schemes too: who sends one does not ask as a guest. */
const hasCredential = (headers: Headers, settings: Deps['settings']): boolean =>
  headers.has('authorization') ||
  headers.has('x-engine-apikey') ||
  readSessionCookie(headers, settings) !== null
