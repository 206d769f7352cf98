import { appUrl } from '@/lib/auth/app-url'
import type { Env, OidcProvider } from '@/lib/env'
import type { Setting } from './describe-settings'

/** How people sign in. */
export const describeSignIn = (env: Env): Setting[] => [
  passwords(env),
  registration(env),
  ...providersOf(env),
  ...(env.OIDC.length > 0 ? [confirmation(env)] : []),
]

const passwords = ({ PASSWORD_SIGN_IN, BREAK_GLASS_ADMIN, OIDC }: Env): Setting => ({
  label: 'Passwords',
  variables: ['PASSWORD_SIGN_IN', 'BREAK_GLASS_ADMIN'],
  state: PASSWORD_SIGN_IN ? 'default' : 'set',
  value: PASSWORD_SIGN_IN
    ? 'On'
    : `Off${BREAK_GLASS_ADMIN ? `, but for ${BREAK_GLASS_ADMIN}` : ''}`,
  hint: PASSWORD_SIGN_IN
    ? `People sign in by a password or a passkey${OIDC.length > 0 ? ', or by a provider' : ''}.`
    : 'People sign in by the providers alone. BREAK_GLASS_ADMIN names the administrator who may use a password even then.',
})

const registration = ({ REGISTRATION: { by, domains }, REGISTRATION_ROLE: role }: Env): Setting => {
  const variables = ['REGISTRATION', 'REGISTRATION_ROLE']
  const label = 'Registration'
  if (by === 'off')
    return { label, variables, state: 'default', value: 'Off', hint: 'Administrators make users.' }
  const invited = { value: 'For those who are invited', hint: 'They get their mail again.' }
  const who = by === 'open' ? 'For everyone' : `For ${domains.join(', ')}`
  const hint = `A mail proves the address. New users have the role ${role}.`
  return { label, variables, state: 'set', ...(by === 'invited' ? invited : { value: who, hint }) }
}

const providersOf = ({ OIDC, ...env }: Env): Setting[] =>
  OIDC.length > 0
    ? OIDC.map((provider) => describeProvider(provider, appUrl(env)))
    : [
        {
          label: 'Providers',
          variables: ['OIDC_<NAME>_ISSUER'],
          state: 'optional',
          value: 'Not set',
          hint: 'Keycloak, Entra ID, Google, Okta and others, by OpenID Connect: see docs/sign-in.md.',
        },
      ]

function describeProvider(provider: OidcProvider, url: string): Setting {
  const { name, label, issuer, domains, newUserRole, rolesSource } = provider
  const linked = domains.includes('*') ? 'any domain' : domains.join(', ')
  const who =
    domains.length > 0
      ? `Emails of ${linked} find accounts`
      : 'DOMAINS is not set, so nobody is linked'
  const made = newUserRole ? ` or make users with the role ${newUserRole}` : ''
  const roles = rolesSource === 'provider' ? ' Roles come from it.' : ''
  return {
    label,
    variables: [`OIDC_${name.toUpperCase()}_ISSUER`, `OIDC_${name.toUpperCase()}_*`],
    state: domains.length > 0 ? 'set' : 'missing',
    value: issuer,
    hint: `${who}${made}.${roles} Its redirect address: ${url}/api/auth/callback/oidc-${name}`,
  }
}

const confirmation = ({ OIDC_RECHECK: ms }: Env): Setting => ({
  label: 'Confirmation of sessions',
  variables: ['OIDC_RECHECK'],
  state: ms === 3_600_000 ? 'default' : 'set',
  value: ms === null ? 'Off' : `Within ${inWords(ms)}`,
  hint:
    ms === null
      ? 'A session lasts whatever the provider changes meanwhile, unless it sends a logout.'
      : 'A session that began by a provider ends unless the provider confirms it, by its refresh token, within this time.',
})

/** The largest unit in which it is a whole number. */
function inWords(ms: number): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1_000],
  ] as const
  const [unit, size] = units.find(([, each]) => ms % each === 0) ?? ['second', 1_000]
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(ms / size)
}
