import type { OidcProvider } from '@/lib/env'
import { canonicalIssuer } from '@/lib/users/identity-store'
import type { ProviderStatement } from '@/lib/users/sign-in-by-provider'
import { mapRoles, textsIn } from './map-roles'

export type Claims = Record<string, unknown> & { iss: string; sub: string }

/** What claims that were verified say, by the settings of their provider. */
export function readStatement(provider: OidcProvider, claims: Claims): ProviderStatement {
  const email = emailIn(claims)
  const { newUserRole } = provider
  const mapped = mapRoles(provider, claims)
  const roles = mapped.length === 0 && newUserRole !== null ? [newUserRole] : mapped
  return {
    signIn: {
      provider: provider.name,
      issuer: canonicalIssuer(claims.iss),
      subject: claims.sub,
      email,
      session: typeof claims.sid === 'string' ? claims.sid.slice(0, 500) : null,
      roles: provider.rolesSource === 'provider' ? roles : null,
    },
    email: stateOf(provider, claims, email),
    strong: hasSecondFactor(provider, claims),
    newUserRoles: newUserRole === null ? null : roles,
  }
}

const MAX_EMAIL = 254

function emailIn({ email }: Claims): string | null {
  const text = typeof email === 'string' ? email.trim() : ''
  return text.length <= MAX_EMAIL && /^[^\s@]+@[^\s@]+$/.test(text) ? text : null
}

function stateOf(
  { domains }: OidcProvider,
  claims: Claims,
  email: string | null,
): ProviderStatement['email'] {
  if (email === null) return 'missing'
  if (!isVerified(claims)) return 'unverified'
  const domain = email.slice(email.indexOf('@') + 1).toLowerCase()
  return domains.includes('*') || domains.includes(domain) ? 'trusted' : 'untrusted'
}

const ENTRA = 'https://login.microsoftonline.com/'

/** Some providers send texts. Entra ID says it in a claim of its own: that the owner of the domain was verified. */
function isVerified({ iss, email_verified: verified, xms_edov: edov }: Claims): boolean {
  if (verified === true || verified === 'true') return true
  return iss.startsWith(ENTRA) && [true, 1, '1', 'true'].some((yes) => yes === edov)
}

const hasSecondFactor = ({ secondFactor }: OidcProvider, { acr, amr }: Claims): boolean =>
  [...textsIn(acr), ...textsIn(amr)].some((value) => secondFactor.includes(value))
