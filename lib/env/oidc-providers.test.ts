import { expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'

const OKTA = {
  OIDC_OKTA_ISSUER: 'https://example.okta.com',
  OIDC_OKTA_CLIENT_ID: 'engine',
  OIDC_OKTA_CLIENT_SECRET: 'canary',
}

test('a provider needs an issuer and a client, and the rest has defaults', () => {
  const { OIDC } = parseEnv({ ...OKTA, OIDC_OKTA_LABEL: ' ' })
  expect(OIDC).toEqual([
    {
      ...{ name: 'okta', issuer: 'https://example.okta.com', label: 'Okta' },
      ...{ clientId: 'engine', clientSecret: 'canary', scopes: 'openid email profile' },
      ...{ rolesClaim: 'groups', rolesMap: [], rolesSource: 'new-users', domains: [] },
      ...{ newUserRole: null, secondFactor: [], signsOutThere: false },
    },
  ])
})

test('there may be several, in the order of their names', () => {
  const { OIDC } = parseEnv({
    ...OKTA,
    OIDC_KC2_ISSUER: 'http://127.0.0.1:8080/realms/main',
    OIDC_KC2_CLIENT_ID: 'engine',
    OIDC_KC2_ROLES_MAP: '{"admins":"ADMIN","cn=staff, *":["EDITOR","Clerk"]}',
    OIDC_KC2_ROLES_SOURCE: 'provider',
    OIDC_KC2_DOMAINS: 'Example.com, example.org',
    OIDC_KC2_NEW_USERS: 'VIEWER',
    OIDC_KC2_SECOND_FACTOR: 'mfa,otp',
  })
  expect(OIDC.map(({ name }) => name)).toEqual(['kc2', 'okta'])
  expect(OIDC[0]).toMatchObject({
    clientSecret: null,
    rolesMap: [
      { value: 'admins', isPrefix: false, roles: ['ADMIN'] },
      { value: 'cn=staff, ', isPrefix: true, roles: ['EDITOR', 'Clerk'] },
    ],
    ...{ domains: ['example.com', 'example.org'], newUserRole: 'VIEWER' },
    ...{ rolesSource: 'provider', secondFactor: ['mfa', 'otp'] },
  })
})

test.each([
  [
    { OIDC_OKTA_ISUER: 'x' },
    'OIDC_OKTA_ISUER: is no setting of a provider; did you mean OIDC_OKTA_ISSUER?',
  ],
  [{ OIDC_ISSUER: 'canary' }, 'OIDC_ISSUER: is none of the settings of a provider'],
  [{ OIDC_Okta_ISSUER: 'canary' }, 'OIDC_Okta_ISSUER: is none'],
  [{ OIDC_KC_CLIENT_ID: 'canary' }, 'OIDC_KC_ISSUER: is missing'],
  [{ OIDC_KC_ISSUER: 'https://canary' }, 'OIDC_KC_CLIENT_ID: is missing'],
  [{ ...OKTA, OIDC_OKTA_ISSUER: 'http://canary.example.com' }, 'OIDC_OKTA_ISSUER: must look'],
  ...['OFF', 'false', 'none', 'Anonymous'].map((role): [Record<string, string>, string] => [
    { ...OKTA, OIDC_OKTA_NEW_USERS: role, OIDC_OKTA_DOMAINS: 'example.com' },
    'OIDC_OKTA_NEW_USERS: must be',
  ]),
  [{ ...OKTA, OIDC_OKTA_ISSUER: 'https://x.org/?canary' }, 'OIDC_OKTA_ISSUER: must look'],
  [
    { ...OKTA, OIDC_OKTA_ISSUER: 'https://x.org/.well-known/openid-configuration' },
    'OIDC_OKTA_ISSUER: must look',
  ],
  [{ ...OKTA, OIDC_OKTA_ROLES_MAP: 'canary' }, 'OIDC_OKTA_ROLES_MAP: must look like {"engine'],
  [{ ...OKTA, OIDC_OKTA_ROLES_MAP: '{"canary":[]}' }, 'OIDC_OKTA_ROLES_MAP: must look'],
  [{ ...OKTA, OIDC_OKTA_ROLES_SOURCE: 'canary' }, 'OIDC_OKTA_ROLES_SOURCE: must be provider or'],
  [{ ...OKTA, OIDC_OKTA_ROLES_SOURCE: 'provider' }, 'OIDC_OKTA_ROLES_MAP: is missing'],
  [{ ...OKTA, OIDC_OKTA_DOMAINS: '@canary.org' }, 'OIDC_OKTA_DOMAINS: must be like example.com'],
  [{ ...OKTA, OIDC_OKTA_NEW_USERS: 'VIEWER' }, 'OIDC_OKTA_DOMAINS: is missing'],
  [{ ...OKTA, OIDC_OKTA_SCOPES: 'email canary' }, 'OIDC_OKTA_SCOPES: must be openid and others'],
  [{ ...OKTA, OIDC_OKTA_SIGN_OUT: 'canary' }, 'OIDC_OKTA_SIGN_OUT: must be local or provider'],
  [{ PASSWORD_SIGN_IN: 'false' }, 'PASSWORD_SIGN_IN: there is no provider to sign in by'],
])('%j stops the start with "%s"', (settings, message) => {
  const start = () => parseEnv(settings)
  expect(start).toThrow(message)
  expect(start).not.toThrow(/canary(?!_)/)
})

test('its secret may be in a file', () => {
  const { OIDC_OKTA_CLIENT_SECRET: _, ...rest } = OKTA
  const start = () => parseEnv({ ...rest, OIDC_OKTA_CLIENT_SECRET_FILE: '/nowhere/secret' })
  expect(start).toThrow('OIDC_OKTA_CLIENT_SECRET_FILE: "/nowhere/secret" can\'t be read (ENOENT)')
})
