import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { DELETE, PATCH, GET as READ } from '@/app/api/entities/[entityName]/[id]/route'
import { allow, clerk, deps } from '@/app/api/entities/[entityName]/testing/branches'
import { apiKeys, policies, users } from '@/lib/db/schema'
import type { Handler } from '@/lib/http/route'
import type { Why } from '@/lib/policies/why-contract'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { GET } from './route'

const ask = (query: string, scopes?: string[]) =>
  call(deps, GET, { path: `/api/rights?${query}`, as: 'ADMIN', ...(scopes ? { scopes } : {}) })

const why = async (query: string): Promise<Why> => {
  const { status, body } = await ask(`user=${userId}&entity=Order&${query}`)
  expect(status).toBe(200)
  return body.data[0]
}

const OWN = { field: 'branch', operator: 'eq', value: '$me.profile.branch' }
const LARGE = { field: 'total', operator: 'gte', value: 20 }

let headers: Record<string, string>
let userId = ''

beforeEach(async () => {
  await allow({
    name: 'Own',
    entities: ['Order'],
    where: [OWN, LARGE],
    fields: { except: ['margin'] },
  })
  await allow({
    name: 'Third',
    entities: ['Order'],
    actions: ['read', 'update'],
    where: [{ field: 'id', operator: 'eq', value: 3 }],
  })
  await allow({
    name: 'Not the south',
    entities: ['Order'],
    allow: false,
    where: [{ field: 'branch.region', operator: 'eq', value: 'south' }],
  })
  headers = await clerk({ branch: 'N1' })
  const [user] = await deps.db.select({ id: users.id }).from(users)
  userId = user?.id ?? ''
})

describe('a record', () => {
  test('is shown by the policies that concern it', async () => {
    expect(await why('id=2')).toEqual({
      ...{ entity: 'Order', action: 'read', id: '2', field: null, allowed: true },
      ...{ records: 'some', reason: 'Allowed by "Own"', role: null },
      policies: [
        { name: 'Own', pluginId: 'test', allow: true, applies: true, missed: null, reason: null },
        {
          ...{ name: 'Third', pluginId: 'test', allow: true, applies: false },
          missed: { field: 'id', operator: 'eq', value: 3 },
          reason: 'The record does not meet a condition',
        },
        {
          ...{ name: 'Not the south', pluginId: 'test', allow: false, applies: false },
          missed: { field: 'branch.region', operator: 'eq', value: 'south' },
          reason: 'The record does not meet a condition',
        },
      ],
    })
  })

  test('is hidden by the first condition that it misses, or by a policy that denies', async () => {
    const small = await why('id=1')
    expect(small).toMatchObject({
      allowed: false,
      reason: 'No policy that allows it concerns the record',
    })
    expect(small.policies.map(({ missed }) => missed)).toEqual([
      LARGE,
      expect.anything(),
      expect.anything(),
    ])
    const south = await why('id=4')
    expect(south).toMatchObject({ allowed: false, reason: 'Denied by "Not the south"' })
    expect(south.policies[0]?.missed).toEqual(OWN)
  })

  test('is hidden where the profile lacks a value', async () => {
    await deps.db.update(users).set({ profile: {} }).where(eq(users.id, userId))
    const { allowed, policies } = await why('id=2')
    expect([allowed, policies[0]?.applies, policies[0]?.missed]).toEqual([false, false, OWN])
    expect(policies[0]?.reason).toContain('no such value')
  })

  test.each(['1', '2', '3', '4', '5'])('%s: is as requests show and change it', async (id) => {
    await allow({ entities: ['Order'], actions: ['update', 'delete'], where: [LARGE] })
    const requests: [string, Handler, string, object?][] = [
      ['read', READ, 'GET'],
      ['update', PATCH, 'PATCH', {}],
      ['delete', DELETE, 'DELETE'],
    ]
    for (const [action, handler, method, body] of requests) {
      const { status } = await call(deps, handler, {
        ...{ method, headers, body, path: `/api/entities/Order/${id}` },
        params: { entityName: 'Order', id },
      })
      const said = await why(`id=${id}&action=${action}`).catch(() => null)
      // A record that was just deleted is gone for the question, too.
      if (said && !(action === 'delete' && status === 200))
        expect([action, said.allowed]).toEqual([action, status === 200])
    }
  })

  test('is asked about by those who may read all of them', async () => {
    const question = `user=${userId}&entity=Order`
    expect((await ask(question, ['users:manage'])).status).toBe(200)
    for (const few of [['users:manage'], ['users:manage', 'Branch:read']])
      expect((await ask(`${question}&id=2`, few)).status).toBe(403)
    const scopes = ['users:manage', 'Order:read', 'Branch:read']
    expect((await ask(`${question}&id=2`, scopes)).status).toBe(200)
    expect((await ask(`${question}&id=400`)).status).toBe(404)
    for (const action of ['read', 'update']) {
      const { status, body } = await ask(`${question}&action=${action}&id=2`, scopes.slice(0, 2))
      expect([status, body.error]).toEqual([
        403,
        'Asking about a record needs the right "Branch:read" too',
      ])
    }
  })
})

describe('a field', () => {
  test('is granted or not by the policies that concern the record', async () => {
    expect(await why('id=2&field=margin')).toMatchObject({
      allowed: false,
      reason: 'No policy that allows it concerns the field "margin" of the record',
      policies: [{ applies: false, reason: 'It does not concern the field "margin"' }, {}, {}],
    })
    expect((await why('id=3&field=margin')).allowed).toBe(true)
    expect((await why('id=2&field=total')).allowed).toBe(true)
    expect((await why('id=2&field=id')).allowed).toBe(true)
    expect((await why('id=4&field=id')).allowed).toBe(false)
  })

  test('is shown in some records, or denied in all', async () => {
    expect(await why('field=margin')).toMatchObject({ allowed: true, records: 'some' })
    await allow({ name: 'No totals', entities: ['Order'], allow: false, fields: ['total'] })
    expect(await why('field=total')).toMatchObject({
      ...{ allowed: false, records: 'none', reason: 'Denied by "No totals"' },
    })
  })
})

describe('an entity', () => {
  test('is limited in the list of rights, too', async () => {
    const { body } = await ask('role=Clerk&entity=Order')
    expect(body.data[0].roles[0]).toMatchObject({
      read: { allowed: true, limited: true, policies: ['Own', 'Third', 'Not the south'] },
      delete: { allowed: false, limited: false, policies: [] },
    })
  })

  test('is open by a role, closed by a policy, by nothing, by the definition or by scopes', async () => {
    const role = async (name: string, action = 'read') =>
      (await ask(`role=${name}&entity=Order&action=${action}`)).body.data[0]
    expect(await role('ADMIN')).toMatchObject({
      allowed: true,
      records: 'all',
      role: 'ADMIN',
      policies: [],
    })
    expect(await role('VIEWER')).toMatchObject({ reason: 'Allowed by the built-in role VIEWER' })
    expect(await role('Clerk')).toMatchObject({ allowed: true, records: 'some' })
    expect((await role('Clerk', 'delete')).reason).toBe(
      'Neither a built-in role nor a policy allows Order:delete to Clerk',
    )
    await allow({ name: 'Nothing', entities: ['Order'], allow: false })
    expect(await role('Clerk')).toMatchObject({ allowed: false, reason: 'Denied by "Nothing"' })
    const [key] = await deps.db
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(eq(apiKeys.ownerId, userId))
    await deps.db
      .update(users)
      .set({ roles: ['VIEWER'] })
      .where(eq(users.id, userId))
    await deps.db
      .update(apiKeys)
      .set({ scopes: ['Branch:read'] })
      .where(eq(apiKeys.id, key?.id ?? ''))
    const { body } = await ask(`key=${key?.id}&entity=Order`)
    expect(body.data[0]).toMatchObject({
      allowed: false,
      reason: 'The scopes of the key are without "Order:read"',
    })
  })

  test('says what is wrong with a policy that no longer fits', async () => {
    await deps.db
      .update(policies)
      .set({ invalid: 'It names a field that is gone' })
      .where(eq(policies.name, 'Own'))
    expect(await why('id=2')).toMatchObject({
      ...{ allowed: false, reason: 'Denied by "Own"' },
      policies: [{ name: 'Own', reason: 'It names a field that is gone' }],
    })
  })
})

test('a field that a closed entity lacks is refused with the nearest name', async () => {
  const schema = { additionalProperties: false, properties: [{ name: 'city', type: 'string' }] }
  const pks = [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }]
  await installTestEntity(deps, { entity: { name: 'Place', pks }, schema })
  const { status, body } = await ask('role=Clerk&entity=Place&field=citi')
  expect([status, body.error]).toEqual([400, 'field: Unknown field "citi"; did you mean "city"?'])
})

test.each([
  ['entity=Order&action=read', 'user'],
  [`role=Clerk&user=${crypto.randomUUID()}&entity=Order`, 'user'],
  [`role=Clerk&action=read`, 'entity'],
  ['role=Clerk&entity=Order&id=1&action=write', 'id'],
])('%s is refused, naming "%s"', async (query, field) => {
  const { status, body } = await ask(query)
  expect([status, body.validations?.[0].field]).toEqual([400, field])
})

test.each([
  `user=${crypto.randomUUID()}&entity=Order`,
  'role=Clerk&entity=Nothing&action=read',
  'role=Nobody&entity=Order&action=read',
])('%s is not found', async (query) => {
  expect((await ask(query)).status).toBe(404)
})
