import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { guestOf } from '@/lib/auth/guest'
import { PEER_HEADER } from '@/lib/auth/request-origin'
import { apiKeys, auditLog, policies, users } from '@/lib/db/schema'
import { one, rows } from '@/lib/db/sql'
import { takeSlot } from '@/lib/load/gates'
import { parseRole } from '@/lib/policies/parse-policy'
import { currentDeps, testDeps, testsOnPostgres } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import * as keys from './api-keys/route'
import * as history from './entities/[entityName]/[id]/history/route'
import * as record from './entities/[entityName]/[id]/route'
import * as things from './entities/[entityName]/route'
import * as search from './entities/[entityName]/search/route'
import * as account from './users/[userId]/route'
import * as init from './users/init/route'

const deps = currentDeps()
const ON = { ANONYMOUS_ACCESS: 'on' }

async function begin(settings: Record<string, string> = ON) {
  await testDeps(settings)
  const properties = [
    { name: 'title', type: 'string' },
    { name: 'secret', type: 'string' },
    { name: 'public', type: 'boolean' },
  ]
  await installTestEntity(
    deps,
    { entity: { name: 'Thing', history: true }, schema: { properties } },
    [
      { title: 'shown', secret: 'a', public: true },
      { title: 'hidden', secret: 'b', public: false },
    ],
  )
}
beforeEach(() => begin())

type Limits = { where?: object[]; fields?: string[]; allow?: boolean; principals?: string[] }
const ANY = ['read', 'write', 'update', 'delete']
function policy(
  name: string,
  actions: string[],
  { allow = true, principals, ...rest }: Limits = {},
) {
  const named = principals ?? ['anonymous']
  return deps.db.insert(policies).values({
    ...{ name, actions, allow, principals: named, entities: ['thing'], priority: 0 },
    definition: { name, principals: named, ...rest } as never,
  })
}

type Headers = Record<string, string>
const params = { entityName: 'Thing' }
const read = (headers: Headers = {}) =>
  call(deps, things.GET, { path: '/api/entities/Thing?sort=title', params, headers })
const add = (headers: Headers = {}, body: object = { title: 'new' }) =>
  call(deps, things.POST, { method: 'POST', path: '/api/entities/Thing', params, headers, body })
const titles = async (headers?: Headers) =>
  (await read(headers)).body.data.map(({ title }: { title: string }) => title)

describe('guests', () => {
  test('have no rights until ANONYMOUS_ACCESS is on and a policy names the role ANONYMOUS', async () => {
    expect((await read()).status).toBe(401)
    await policy('Guests', ['read'])
    expect(await titles()).toEqual(['hidden', 'shown'])
    expect((await add()).status).toBe(401)
    await begin({})
    await policy('Guests', ANY)
    expect((await read()).status).toBe(401)
    expect((await add()).status).toBe(401)
  })

  test('have the rows and fields of their policies', async () => {
    const where = [{ field: 'public', operator: 'eq', value: true }]
    await policy('Guests', ['read'], { where, fields: ['title'] })
    const { data, pagination } = (await read()).body
    expect(data).toEqual([
      { title: 'shown', persistenceId: expect.anything(), id: expect.anything() },
    ])
    expect(pagination.total).toBe(1)
  })

  test('are denied what a policy for * names that no longer fits its entity', async () => {
    await policy('Guests', ['read'])
    await policy('All', ['read'], { principals: ['*'] })
    expect((await read()).status).toBe(200)
    await deps.db.update(policies).set({ invalid: 'x' }).where(eq(policies.name, 'All'))
    await expect.poll(async () => (await read()).status).toBe(401)
  })

  test('have nothing of what policies allow to *, and what these deny is denied to them too', async () => {
    await policy('All', ANY, { principals: ['*'] })
    expect((await read()).status).toBe(401)
    await policy('Guests', ['read', 'write'])
    expect((await read()).status).toBe(200)
    await policy('None', ['write'], { principals: ['*'], allow: false })
    expect((await add()).status).toBe(401)
    const named = await testKey(deps, ['Clerk'])
    expect((await read({ authorization: `Bearer ${named}` })).status).toBe(200)
  })

  test('lose what a policy gave as soon as it is gone', async () => {
    await policy('Guests', ['read'])
    expect((await read()).status).toBe(200)
    await deps.db.delete(policies)
    expect((await read()).status).toBe(401)
  })

  test('are no person: $me is refused', async () => {
    await policy('Guests', ['read'])
    const response = await call(deps, search.POST, {
      ...{ method: 'POST', path: '/api/entities/Thing/search', params },
      body: { query: [{ field: 'title', operator: 'eq', value: '$me' }] },
    })
    expect(response).toMatchObject({
      ...{ status: 400, body: { error: expect.stringContaining('the caller has none') } },
    })
  })
})

test('an administrator views records as guests do, without being asked to sign in', async () => {
  const view = () =>
    call(deps, things.GET, {
      ...{ path: '/api/entities/Thing?sort=title', params, as: 'ADMIN' },
      headers: { 'x-engine-view-as': 'role:ANONYMOUS' },
    })
  expect((await view()).status).toBe(403)
  await policy('All', ANY, { principals: ['*'] })
  expect((await view()).status).toBe(403)
  await policy('Guests', ['read'], { fields: ['title'] })
  expect((await view()).body.data[0]).toEqual({ id: 2, title: 'hidden', persistenceId: '2' })
})

test('a wrong credential makes no guest', async () => {
  await policy('Guests', ['read'])
  const [expired, revoked] = [await testKey(deps, ['VIEWER']), await testKey(deps, ['VIEWER'])]
  const change = (key: string, columns: object) =>
    deps.db
      .update(apiKeys)
      .set(columns)
      .where(eq(apiKeys.prefix, key.slice(0, 12)))
  await change(expired, { expiresAt: new Date(0) })
  await change(revoked, { revokedAt: new Date() })
  const wrong: Headers[] = [
    { authorization: `Bearer ${expired}` },
    { authorization: `Bearer ${revoked}` },
    { authorization: 'Bearer eng_unknown' },
    { authorization: 'Basic YTpi' },
    { authorization: 'Bearer' },
    { 'x-engine-apikey': 'eng_unknown' },
    { 'x-engine-apikey': '' },
    { cookie: 'next-auth.session-token=ended' },
  ]
  for (const headers of wrong)
    expect([headers, (await read(headers)).status]).toEqual([headers, 401])
  expect((await read({ cookie: 'theme=dark' })).status).toBe(200)
})

describe('what guests write', () => {
  test('is in the audit log and the history as theirs, with the address', async () => {
    await policy('Guests', ['read', 'write'])
    const { body } = await add({ [PEER_HEADER]: '203.0.113.7' })
    const [entry] = await deps.db.select().from(auditLog)
    expect(entry).toMatchObject({
      ...{ action: 'records.create', actorType: 'anonymous', actorId: null },
      ...{ actorName: 'Guest', address: '203.0.113.7' },
    })
    const id = String(body.data[0].persistenceId)
    const versions = await call(deps, history.GET, {
      path: `/api/entities/Thing/${id}/history`,
      ...{ params: { ...params, id }, as: 'ADMIN' },
    })
    expect(versions.body.data).toMatchObject([{ by: { type: 'anonymous', name: 'Guest' } }])
  })

  test('is not repeated for the same Idempotency-Key of one network, and is for another', async () => {
    await policy('Guests', ['read', 'write'])
    const from = (address: string) => add({ [PEER_HEADER]: address, 'idempotency-key': 'k' })
    const first = await from('2001:db8::1')
    const again = await from('2001:db8::2')
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect((await from('2001:db8:0:1::1')).headers.get('idempotency-replayed')).toBeNull()
    const [found] = await rows<{ n: number }>(
      deps.db,
      sql`select count(*)::int as n from entities.thing where title = 'new'`,
    )
    expect(found?.n).toBe(2)
  })

  test('does not come from pages of other sites', async () => {
    await policy('Guests', ANY)
    const foreign = { origin: 'https://evil.example' }
    expect((await add(foreign)).status).toBe(403)
    expect((await add({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await add({ 'sec-fetch-site': 'same-origin' })).status).toBe(201)
    expect((await read(foreign)).status).toBe(200)
    const id = (await read()).body.data[0].persistenceId
    const path = `/api/entities/Thing/${id}`
    const remove = (headers: Headers) =>
      call(deps, record.DELETE, { method: 'DELETE', path, params: { ...params, id }, headers })
    expect((await remove(foreign)).status).toBe(403)
    expect((await remove({})).status).toBe(200)
  })
})

test('guests of one network get half of the places, and a tenth of those to wait in', async () => {
  const guest = async (address: string) => {
    const headers = new Headers({ [PEER_HEADER]: address })
    return one([await guestOf({ headers }, deps)].filter((actor) => actor !== null))
  }
  const take = async (address: string) => {
    const actor = await guest(address)
    let state = 'waits'
    takeSlot(deps, 'search', { actor }).then(
      () => {
        state = 'has one'
      },
      () => {
        state = 'is refused'
      },
    )
    await new Promise(setImmediate)
    return state
  }
  const states: string[] = []
  while (states.at(-1) !== 'is refused') states.push(await take(`2001:db8::${states.length}`))
  expect(states.filter((state) => state === 'waits')).toHaveLength(25)
  expect(states.filter((state) => state === 'has one')).toHaveLength(testsOnPostgres() ? 3 : 1)
  expect(await take('2001:db8:0:1::1')).toBe(testsOnPostgres() ? 'has one' : 'waits')
})

describe('the role ANONYMOUS', () => {
  test('is given to no user and no key, however it is written', async () => {
    for (const role of ['ANONYMOUS', 'anonymous', 'AN0NYMOUS']) {
      const refused = { status: 400, body: { validations: [{ field: 'roles.0' }] } }
      const user = { email: 'ann@example.com', roles: [role], profile: {} }
      const asked = { method: 'POST', as: 'ADMIN' }
      const made = await call(deps, init.POST, { ...asked, path: '/api/users/init', body: user })
      expect(made, role).toMatchObject(refused)
      const key = { name: 'a', roles: [role] }
      const added = await call(deps, keys.POST, { ...asked, path: '/api/api-keys', body: key })
      expect(added).toMatchObject(refused)
      const { id } = one(await deps.db.select().from(users).limit(1))
      const changed = await call(deps, account.PATCH, {
        ...{ ...asked, method: 'PATCH', path: `/api/users/${id}`, params: { userId: id } },
        body: { roles: [role] },
      })
      expect(changed).toMatchObject(refused)
    }
  })

  test('is defined by no plugin', () => {
    expect(parseRole({ name: 'Anonymous' })).toMatchObject({ faults: [{ pointer: '/name' }] })
  })
})
