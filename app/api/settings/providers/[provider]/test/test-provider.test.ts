import { afterAll, beforeEach, expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { CLIENT, IdentityProvider } from '@/lib/testing/identity-provider'
import { call } from '@/lib/testing/request'
import * as testing from './route'

const provider = await IdentityProvider.start(['http://localhost:3000/api/auth/callback/oidc-kc'])
afterAll(() => provider.close())
const deps = freshDeps(() => ({
  OIDC_KC_ISSUER: provider.issuer,
  OIDC_KC_CLIENT_ID: CLIENT.id,
  OIDC_AWAY_ISSUER: 'http://127.0.0.1:9',
  OIDC_AWAY_CLIENT_ID: CLIENT.id,
}))
beforeEach(() => {
  provider.faults = {}
})

const ask = (name: string) =>
  call(deps, testing.POST, {
    ...{ method: 'POST', path: `/api/settings/providers/${name}/test`, as: 'ADMIN' },
    params: { provider: name },
  })

test('says that a provider is reached, with its keys', async () => {
  expect(await ask('kc')).toMatchObject({
    status: 200,
    body: {
      data: [
        {
          ...{ provider: 'kc', reachable: true },
          answer: `${provider.issuer} is reached, and signs with 1 key`,
        },
      ],
    },
  })
})

test.each<[string, string, typeof provider.faults]>([
  ['that is away', 'away', {}],
  [
    'that names another issuer',
    'kc',
    { answer: { path: '/.well-known/openid-configuration', body: '{"issuer":"https://x.org"}' } },
  ],
  ['without keys', 'kc', { answer: { path: '/jwks', body: '{"keys":[]}' } }],
  ['whose keys are no JSON', 'kc', { answer: { path: '/jwks', body: 'canary' } }],
])('says so of one %s', async (_, name, faults) => {
  provider.faults = faults
  const { status, body } = await ask(name)
  expect([status, body.data[0].reachable]).toEqual([200, false])
  expect(body.data[0].answer).not.toContain('canary')
})

test('is for providers in the settings, twenty times in ten minutes', async () => {
  expect((await ask('none')).status).toBe(404)
  for (let n = 0; n < 20; n++) expect((await ask('away')).status).toBe(200)
  expect((await ask('away')).status).toBe(429)
})
