import type { OidcProvider } from '@/lib/env'
import { email as emailShape } from '@/lib/users/contract'
import { canonicalIssuer } from '@/lib/users/identity-store'
import { ProviderRefusal } from '@/lib/users/provider-refusal'
import type { ProviderStatement } from '@/lib/users/sign-in-by-provider'
import { mapRoles, textsIn } from './map-roles'

export type Claims = Record<string, unknown> & { iss: string; sub: string }

/** What claims that were verified say, by the settings of their provider. Throws `ProviderRefusal`. */
export function readStatement(provider: OidcProvider, claims: Claims): ProviderStatement {
  const email = emailShape.safeParse(claims.email).data ?? null
  if (!isId(claims.sub, MAX_SUBJECT)) throw new ProviderRefusal('OidcInvalid', { claim: 'sub' })
  const { newUserRole } = provider
  const mapped = mapRoles(provider, claims)
  const roles = mapped.length === 0 && newUserRole !== null ? [newUserRole] : mapped
  return {
    signIn: {
      provider: provider.name,
      issuer: canonicalIssuer(claims.iss),
      subject: claims.sub,
      email,
      session: isId(claims.sid, MAX_SESSION) ? claims.sid : null,
      roles: provider.rolesSource === 'provider' ? roles : null,
      check: null,
    },
    email: stateOf(provider, claims, email),
    strong: hasSecondFactor(provider, claims),
    newUserRoles: newUserRole === null ? null : roles,
  }
}

/** OpenID Connect Core 1.0, section 2. */
const MAX_SUBJECT = 255
const MAX_SESSION = 500

const isId = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length <= max && !/\p{Cc}/u.test(value)

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
