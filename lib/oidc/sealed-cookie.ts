import { EncryptJWT } from 'jose'
import { decryptToken } from '@/lib/auth/decrypt-token'
import { readCookie } from '@/lib/auth/read-cookie'
import { usesHttps } from '@/lib/auth/session-cookie'
import { deriveKey } from '@/lib/crypto/derive-key'
import type { Deps } from '@/lib/deps'
import type { Step } from '@/lib/users/sign-in-by-provider'

/** A sign-in that waits for the provider's answer: it binds the answer to this browser. */
export type Pending = {
  id: string
  provider: string
  state: string
  nonce: string
  verifier: string
  returnTo: string
}
/** A second step that the sign-in page asks for. */
type PendingStep = { ticket: string; methods: Step[]; email: string; label: string }

type Contents = { pending: Pending; step: PendingStep }
const LIFETIME_S = { pending: 10 * 60, step: 5 * 60 }

type Kind = keyof Contents
type CookieDeps = Pick<Deps, 'settings' | 'secret'>

const nameOf = (kind: Kind, { settings }: CookieDeps) =>
  `${usesHttps(settings) ? '__Host-' : ''}engine.oidc-${kind}`

const attributes = ({ settings }: CookieDeps, maxAge: number) =>
  `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${usesHttps(settings) ? '; Secure' : ''}`

/** A `Set-Cookie` value with encrypted content. */
export async function sealCookie<K extends Kind>(
  deps: CookieDeps,
  kind: K,
  content: Contents[K],
): Promise<string> {
  const token = await new EncryptJWT({ kind, content })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setExpirationTime(`${LIFETIME_S[kind]}s`)
    .encrypt(deriveKey(deps.secret, 'oidc'))
  return `${nameOf(kind, deps)}=${token}; ${attributes(deps, LIFETIME_S[kind])}`
}

/** A `Set-Cookie` value that removes it. */
export const dropCookie = (deps: CookieDeps, kind: Kind): string =>
  `${nameOf(kind, deps)}=; ${attributes(deps, 0)}`

/** Null without one, and for one that has expired, was altered, or is of another kind. */
export async function openCookie<K extends Kind>(
  deps: CookieDeps,
  kind: K,
  headers: Headers,
): Promise<Contents[K] | null> {
  const token = readCookie(headers, nameOf(kind, deps))
  if (!token) return null
  try {
    const { payload } = await decryptToken(token, deps.secret, 'oidc')
    return payload.kind === kind ? (payload.content as Contents[K]) : null
  } catch {
    return null
  }
}
