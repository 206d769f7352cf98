import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { apiKeys, auditLog, scimUsers, users, userTokens } from '@/lib/db/schema'
import { assignAllRoles } from '@/lib/scim/assign-all-roles'
import { Browser } from '@/lib/testing/browser'
import { freshDeps } from '@/lib/testing/deps'
import { hashPassword } from '@/lib/testing/password'
import { call, testKeyOfRoles } from '@/lib/testing/request'
import type { UserStatus } from '@/lib/users/status'
import * as token from '../scim-token/route'
import * as account from '../users/[userId]/route'
import * as me from '../users/me/route'
import { addAccount, ScimClient } from './testing/scim'

const deps = freshDeps({ SCIM_ROLES_MAP: '{"Administrators":"ADMIN","Editors":"EDITOR"}' })
let client: ScimClient
beforeEach(async () => {
  client = await ScimClient.start(deps)
})

const PASSWORD = 'correct horse battery'
const rolesOf = async (id: string) =>
  (await deps.db.select().from(users).where(eq(users.id, id)))[0]?.roles
/** By hand, with a key of no user. */
const byHand = async (method: 'GET' | 'PATCH' | 'DELETE', userId: string, body?: object) =>
  call(deps, { GET: account.GET, PATCH: account.PATCH, DELETE: account.DELETE }[method], {
    ...{ method, path: `/api/users/${userId}`, params: { userId }, body },
    headers: { authorization: `Bearer ${await testKeyOfRoles(deps, ['ADMIN'])}` },
  })
const off = [{ op: 'Replace', path: 'active', value: 'False' }]

test('a deactivation ends open sessions and keys at their next request', async () => {
  const id = await client.createUser('jane@e.org')
  await deps.db.update(users).set({ passwordHash: await hashPassword(PASSWORD) })
  const browser = new Browser(deps)
  await browser.signIn('jane@e.org', PASSWORD)
  const ask = () => browser.call(me.GET, { path: '/api/users/me' })
  expect((await ask()).status).toBe(200)
  expect((await client.patch(`Users/${id}`, off)).status).toBe(200)
  expect((await ask()).status).toBe(401)
  await client.patch(`Users/${id}`, [{ op: 'Replace', path: 'active', value: 'True' }])
  expect((await ask()).status).toBe(401)
})

describe('the last administrator', () => {
  test.each<[string, (id: string, group: string) => ReturnType<ScimClient['send']>]>([
    ['is not deactivated', (id) => client.patch(`Users/${id}`, off)],
    ['is not deleted', (id) => client.send('DELETE', `Users/${id}`)],
    [
      'does not leave the group',
      (_, group) => client.patch(`Groups/${group}`, [{ op: 'remove', path: 'members' }]),
    ],
    [
      'keeps the name of the group',
      (_, group) =>
        client.patch(`Groups/${group}`, [{ op: 'replace', path: 'displayName', value: 'x' }]),
    ],
    ['keeps the group', (_, group) => client.send('DELETE', `Groups/${group}`)],
  ])('%s', async (_, act) => {
    const id = await client.createUser('jane@e.org')
    const group = await client.createGroup('Administrators', [id])
    expect(await rolesOf(id)).toEqual(['ADMIN'])
    const before = (await client.send('GET', `Groups/${group}`)).body
    expect(await act(id, group)).toMatchObject({ status: 409, body: { scimType: 'mutability' } })
    expect((await client.send('GET', `Groups/${group}`)).body).toEqual(before)
    expect((await client.send('GET', `Users/${id}`)).body.active).toBe(true)
    await addAccount(deps, 'other@e.org', { roles: ['ADMIN'] })
    expect((await act(id, group)).status).toBeLessThan(300)
  })
})

describe('accounts that were made by hand', () => {
  test('are found, and managed from the first change on', async () => {
    const profile = { name: 'Ann', pet: 'cat' }
    const id = await addAccount(deps, 'ann@e.org', { profile, roles: ['Clerk', 'EDITOR'] })
    const found = await client.find('Users', 'userName eq "ANN@e.org"')
    expect(found.body.Resources).toMatchObject([
      { id, displayName: 'Ann', emails: [{ value: 'ann@e.org', type: 'work', primary: true }] },
    ])
    expect((await byHand('GET', id)).body.data[0]).not.toHaveProperty('managed')
    await client.patch(`Users/${id}`, [{ op: 'Add', path: 'externalId', value: '7' }])
    expect(await rolesOf(id)).toEqual(['Clerk'])
    expect((await byHand('GET', id)).body.data[0]).toMatchObject({
      ...{ profile, managed: { by: 'SCIM', profile: ['name'], roles: ['ADMIN', 'EDITOR'] } },
    })
  })

  test.each<[UserStatus, boolean, boolean]>([
    ['REQUIRED_ACTIVATION', false, false],
    ['REQUIRED_RESET_PASSWORD', true, false],
    ['DISABLED', false, false],
    ['DISABLED', true, true],
  ])(
    'of the status %s become active with the password of their owner alone',
    async (status, wasActive, stays) => {
      const times = { activatedAt: wasActive ? new Date() : null }
      const id = await addAccount(deps, 'ann@e.org', { status, passwordHash: 'x', ...times })
      expect((await client.send('GET', `Users/${id}`)).body.active).toBe(false)
      const on = { op: 'Replace', path: 'active', value: 'True' }
      if (status !== 'DISABLED')
        await client.patch(`Users/${id}`, [{ op: 'add', path: 'title', value: 'x' }])
      expect((await client.patch(`Users/${id}`, [on])).body.active).toBe(true)
      const found = await deps.db.select().from(users).where(eq(users.id, id))
      expect(found).toMatchObject([{ status: 'ACTIVATED', passwordHash: stays ? 'x' : null }])
    },
  )

  test.each<UserStatus>(['REQUIRED_ACTIVATION', 'REQUIRED_RESET_PASSWORD'])(
    'of the status %s are deactivated where this is asked for, with their links',
    async (status) => {
      const id = await addAccount(deps, 'ann@e.org', { status, passwordHash: 'x' })
      const link = { userId: id, kind: 'activation', tokenHash: 'x', expiresAt: new Date(4e12) }
      await deps.db.insert(userTokens).values(link as typeof userTokens.$inferInsert)
      const stored = async () => (await deps.db.select().from(users).where(eq(users.id, id)))[0]
      await client.patch(`Users/${id}`, [{ op: 'add', path: 'title', value: 'x' }])
      expect(await stored()).toMatchObject({ status, passwordHash: 'x' })
      await client.patch(`Users/${id}`, [{ op: 'Replace', path: 'active', value: 'False' }])
      expect(await stored()).toMatchObject({ status: 'DISABLED', passwordHash: null })
      expect(await deps.db.select().from(userTokens)).toEqual([])
    },
  )

  test('are left alone when they are administrators', async () => {
    const id = await addAccount(deps, 'ann@e.org', { roles: ['ADMIN'] })
    await addAccount(deps, 'other@e.org', { roles: ['ADMIN'] })
    const attempts = [
      client.patch(`Users/${id}`, [{ op: 'Replace', path: 'userName', value: 'thief@e.org' }]),
      client.send('PUT', `Users/${id}`, { userName: 'thief@e.org' }),
      client.send('DELETE', `Users/${id}`),
    ]
    for (const attempt of attempts)
      expect(await attempt).toMatchObject({ status: 409, body: { scimType: 'mutability' } })
    await client.createGroup('Editors', [id])
    expect(await rolesOf(id)).toEqual(['ADMIN'])
    expect(await deps.db.select().from(scimUsers)).toEqual([])
  })
})

describe('what SCIM manages', () => {
  test('is not changed by hand, the rest is, and all is once the token is revoked', async () => {
    const id = await client.createUser('jane@e.org', { displayName: 'Jane' })
    await client.createGroup('Editors', [id])
    const profile = { name: 'Jane', pet: 'cat' }
    for (const body of [{ status: 'DISABLED' }, { roles: ['Clerk'] }, { profile: { pet: 'cat' } }])
      expect(await byHand('PATCH', id, body)).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining('managed by SCIM') },
      })
    expect((await byHand('DELETE', id)).status).toBe(409)
    const mine = { status: 'ACTIVATED', roles: ['Clerk', 'EDITOR'], profile }
    expect(await byHand('PATCH', id, { ...mine })).toMatchObject({
      status: 200,
      body: { data: [mine] },
    })
    await client.patch(`Users/${id}`, [{ op: 'replace', path: 'displayName', value: 'Joan' }])
    expect((await byHand('GET', id)).body.data[0]).toMatchObject({
      ...{ roles: ['Clerk', 'EDITOR'], profile: { name: 'Joan', pet: 'cat' } },
    })
    await call(deps, token.DELETE, { method: 'DELETE', path: '/api/scim-token', as: 'ADMIN' })
    expect((await byHand('PATCH', id, { status: 'DISABLED' })).status).toBe(200)
    expect((await byHand('DELETE', id)).status).toBe(200)
  })
})

describe('versions', () => {
  test('a change of another version is refused, and a known one is not sent again', async () => {
    const id = await client.createUser('jane@e.org')
    const group = await client.createGroup('Editors')
    for (const path of [`Users/${id}`, `Groups/${group}`]) {
      const first = (await client.send('GET', path)).headers.get('etag') as string
      const known = await client.send('GET', path, undefined, { 'if-none-match': first })
      expect(known).toMatchObject({ status: 304, text: '' })
      const change = (version: string, value: string) =>
        client.patch(path, [{ op: 'add', path: 'externalId', value }], { 'if-match': version })
      expect((await change(first, 'a')).status).toBeLessThan(300)
      expect(await change(first, 'b')).toMatchObject({ status: 412, body: { status: '412' } })
      const deleted = await client.send('DELETE', path, undefined, { 'if-match': first })
      expect(deleted.status).toBe(412)
      const { body, headers } = await client.send('GET', path)
      expect(body.externalId).toBe('a')
      expect(body.meta.version).toBe(headers.get('etag'))
      expect((await change(body.meta.version, 'c')).status).toBeLessThan(300)
      expect((await change('*', 'd')).status).toBeLessThan(300)
    }
  })
})

test('a removal of a member whose account is deleted leaves no trace', async () => {
  const [one, two] = [await client.createUser('a@e.org'), await client.createUser('b@e.org')]
  const group = await client.createGroup('Editors', [one, two])
  const before = (await client.send('GET', `Groups/${group}`)).body.meta.version
  await client.send('DELETE', `Users/${one}`)
  const { body } = await client.send('GET', `Groups/${group}`)
  expect(body.members).toMatchObject([{ value: two }])
  expect(body.meta.version).not.toBe(before)
  const added = await client.patch(`Groups/${group}`, [
    { op: 'add', path: 'members', value: [{ value: one }] },
  ])
  expect(added).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
  expect(await deps.db.select().from(apiKeys)).toEqual([])
  const entries = await deps.db.select().from(auditLog)
  expect(new Set(entries.map(({ actorName }) => actorName))).toEqual(new Set(['SCIM']))
})

test('roles follow a change of the map, while there is a token', async () => {
  const id = await client.createUser('jane@e.org')
  await client.createGroup('Editors', [id])
  await client.createGroup('Others', [id])
  const { settings } = deps
  deps.settings = {
    ...settings,
    SCIM_ROLES_MAP: [{ value: 'Editors', isPrefix: false, roles: ['VIEWER'] }],
  }
  await assignAllRoles(deps)
  expect(await rolesOf(id)).toEqual(['EDITOR', 'VIEWER'])
  deps.settings = {
    ...settings,
    SCIM_ROLES_MAP: [{ value: 'nope', isPrefix: true, roles: ['editor'] }],
  }
  await call(deps, token.DELETE, { method: 'DELETE', path: '/api/scim-token', as: 'ADMIN' })
  await assignAllRoles(deps)
  expect(await rolesOf(id)).toEqual(['EDITOR', 'VIEWER'])
  await ScimClient.start(deps)
  await assignAllRoles(deps)
  expect(await rolesOf(id)).toEqual(['VIEWER'])
})
