import { beforeEach, expect, test } from 'vitest'
import { auditLog, externalIdentities, sessions } from '@/lib/db/schema'
import { testDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { ANN, addUser, deps, signedIn, statusOf } from '../../me/testing/second-factor'
import * as user from '../route'
import * as one from './[identityId]/route'
import * as identities from './route'

const OKTA = {
  OIDC_OKTA_ISSUER: 'https://example.okta.com',
  OIDC_OKTA_CLIENT_ID: 'engine',
  OIDC_OKTA_ROLES_MAP: '{"admins":"ADMIN"}',
  OIDC_OKTA_ROLES_SOURCE: 'provider',
}

let userId = ''
beforeEach(() => start(OKTA))

async function start(settings: Record<string, string>): Promise<void> {
  await testDeps(settings)
  await addUser(ANN, { roles: ['VIEWER'] })
  userId = (await statusAndId()).userId
  const identity = { issuer: OKTA.OIDC_OKTA_ISSUER, subject: 'ann-1', email: 'ann@corp.example' }
  await deps.db.insert(externalIdentities).values({ userId, provider: 'okta', ...identity })
}

async function statusAndId() {
  await signedIn()
  const [row] = await deps.db.select().from(sessions)
  return { userId: row?.userId ?? '' }
}

const list = () =>
  call(deps, identities.GET, {
    path: `/api/users/${userId}/identities`,
    params: { userId },
    as: 'ADMIN',
  })
const change = (body: object) =>
  call(deps, user.PATCH, {
    ...{ method: 'PATCH', path: `/api/users/${userId}`, params: { userId }, as: 'ADMIN', body },
  })

test('are listed by what people call the provider', async () => {
  const { body } = await list()
  expect(body.data).toMatchObject([
    { provider: 'okta', label: 'Okta', email: 'ann@corp.example', managesRoles: true },
  ])
  expect(JSON.stringify(body)).not.toContain('ann-1')
})

test('are those of the provider, with or without a slash at the end of its issuer', async () => {
  await start({ ...OKTA, OIDC_OKTA_ISSUER: `${OKTA.OIDC_OKTA_ISSUER}/` })
  expect((await list()).body.data).toMatchObject([{ label: 'Okta', managesRoles: true }])
  expect((await change({ roles: ['EDITOR'] })).status).toBe(409)
})

test('whose provider gives the roles refuse others, and allow the rest', async () => {
  expect(await change({ roles: ['EDITOR'] })).toMatchObject({
    status: 409,
    body: { error: 'The roles of this user come from Okta; change them there' },
  })
  expect((await change({ profile: { a: 1 } })).status).toBe(200)
  expect((await change({ status: 'DISABLED' })).status).toBe(200)
})

test.each([
  ['is no source of roles', { ...OKTA, OIDC_OKTA_ROLES_SOURCE: 'new-users' }],
  ['is in the settings no longer', {}],
])('whose provider %s leave the roles to us', async (_, settings: Record<string, string>) => {
  await start(settings)
  expect((await list()).body.data).toMatchObject([{ managesRoles: false }])
  expect((await change({ roles: ['EDITOR'] })).status).toBe(200)
})

test('are a way to sign in, so that an account without a password can be active', async () => {
  await deps.db.execute(`update engine.users set password_hash = null where id = '${userId}'`)
  expect((await change({ status: 'DISABLED' })).status).toBe(200)
  expect((await change({ status: 'ACTIVATED' })).status).toBe(200)
  await deps.db.delete(externalIdentities)
  expect((await change({ status: 'DISABLED' })).status).toBe(200)
  expect((await change({ status: 'ACTIVATED' })).status).toBe(409)
})

test('are unlinked with the end of the sessions', async () => {
  const browser = await signedIn()
  const [{ identityId }] = (await list()).body.data
  const unlink = (params: { userId: string; identityId: string }) =>
    call(deps, one.DELETE, {
      ...{ method: 'DELETE', path: '/api/users/x/identities/y', params, as: 'ADMIN' },
    })
  expect((await unlink({ userId, identityId: crypto.randomUUID() })).status).toBe(404)
  expect((await unlink({ userId: crypto.randomUUID(), identityId })).status).toBe(404)
  expect(await statusOf(browser)).toBe(200)
  expect((await unlink({ userId, identityId })).status).toBe(200)
  expect(await statusOf(browser)).toBe(401)
  expect((await list()).body.data).toEqual([])
  const noted = (await deps.db.select().from(auditLog).orderBy(auditLog.id)).at(-1)
  expect(noted).toMatchObject({ action: 'users.unlink-identity', details: { provider: 'okta' } })
})
