import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { allow, clerk, deps, orders } from '@/app/api/entities/[entityName]/testing/branches'
import { auditLog, policies, users } from '@/lib/db/schema'
import { call } from '@/lib/testing/request'
import { POST } from './route'

const preview = (body: object, scopes?: string[]) =>
  call(deps, POST, {
    ...{ method: 'POST', path: '/api/policies/preview', as: 'ADMIN', body },
    ...(scopes ? { scopes } : {}),
  })

const effect = async (policy: object, more: object = {}) => {
  const { status, body } = await preview({ entity: 'Order', policy, ...more })
  expect([status, body.error]).toEqual([200, undefined])
  return body.data[0]
}

const OWN = [{ field: 'branch', operator: 'eq', value: '$me.profile.branch' }]
const SOUTH = [{ field: 'branch.region', operator: 'eq', value: 'south' }]
const ALL_FIELDS = ['id', 'branch', 'total', 'margin', 'ownerId', 'note', 'remark']

const idsIn = ({ sample }: { sample: { id: number }[] }) => sample.map(({ id }) => id).sort()

let user = ''

beforeEach(async () => {
  await clerk({ branch: 'N1' })
  const [found] = await deps.db.select({ id: users.id }).from(users)
  user = found?.id ?? ''
})

test('counts the records and the fields that a policy concerns, and shows some', async () => {
  const where = [{ field: 'total', operator: 'lt', value: 25 }]
  expect(await effect({ where, fields: { except: ['margin', 'note'] } })).toEqual({
    ...{ total: 5, matching: 2, fields: 7 },
    visibleFields: ['id', 'branch', 'total', 'ownerId', 'remark'],
    sample: [
      { id: 1, persistenceId: '1', branch: 'N1', total: 10, ownerId: null },
      { id: 2, persistenceId: '2', branch: 'N1', total: 20, ownerId: null, remark: 'two' },
    ],
  })
  const whole = await effect({ where: null, fields: null })
  expect(whole).toMatchObject({ total: 5, matching: orders.length, visibleFields: ALL_FIELDS })
  expect(idsIn(await effect({ where: SOUTH }))).toEqual([4, 5])
})

test('of one that denies, what it denies', async () => {
  const denied = await effect({ allow: false, where: SOUTH, fields: ['margin'] })
  expect(denied).toMatchObject({ matching: 2, visibleFields: ['id', 'margin'] })
})

test('compares with the values of the user that it is asked for', async () => {
  expect(idsIn(await effect({ where: OWN }, { as: { user } }))).toEqual([1, 2])
  expect((await effect({ where: OWN })).matching).toBe(0)
  expect((await effect({ allow: false, where: OWN })).matching).toBe(5)
  await deps.db.update(users).set({ profile: {} }).where(eq(users.id, user))
  expect((await effect({ where: OWN }, { as: { user } })).matching).toBe(0)
})

test('of created records, those that meet what is checked', async () => {
  const policy = { where: OWN, check: SOUTH }
  expect(idsIn(await effect(policy, { action: 'write' }))).toEqual([4, 5])
  expect(idsIn(await effect(policy, { action: 'update', as: { user } }))).toEqual([1, 2])
})

test('stores nothing, and is by itself', async () => {
  await allow({ entities: ['Order'], principals: ['*'], allow: false })
  expect((await effect({})).matching).toBe(5)
  expect(await deps.db.select().from(policies)).toHaveLength(1)
  const entries = await deps.db.select({ action: auditLog.action }).from(auditLog)
  expect(entries.filter(({ action }) => action.startsWith('policies.'))).toEqual([])
})

test('names what is wrong as creating the policy does', async () => {
  const wrong = [{ field: 'totl', operator: 'eq', value: 1 }]
  const { status, body } = await preview({
    entity: 'Order',
    policy: { where: [...SOUTH, wrong[0]], set: { id: 'x' } },
  })
  expect(status).toBe(400)
  const places = body.validations.map(({ field }: { field: string }) => field)
  expect(places).toEqual(['where.1.field', 'set.id'])
  const many = Array.from({ length: 65 }, () => SOUTH[0])
  expect((await preview({ entity: 'Order', policy: { where: many } })).status).toBe(400)
  expect((await preview({ entity: 'Ordr', policy: {} })).status).toBe(404)
  const unknown = { entity: 'Order', policy: {}, as: { user: crypto.randomUUID() } }
  expect((await preview(unknown)).status).toBe(404)
})

test('is for those who may read all of the entity', async () => {
  const body = { entity: 'Order', policy: {} }
  expect((await preview(body, ['security:manage'])).status).toBe(403)
  expect((await preview(body, ['security:manage', 'Order:read'])).status).toBe(200)
})

test('is for those who may read all of the entities that its conditions follow', async () => {
  const body = { entity: 'Order', policy: { where: [{ operator: 'not', filters: SOUTH }] } }
  const refused = await preview(body, ['security:manage', 'Order:read'])
  expect([refused.status, refused.body.error]).toEqual([
    403,
    'The preview of a policy needs the right "Branch:read" too',
  ])
  expect((await preview(body, ['security:manage', 'Order:read', 'Branch:read'])).status).toBe(200)
  const created = { entity: 'Order', action: 'write', policy: { where: OWN, check: SOUTH } }
  expect((await preview(created, ['security:manage', 'Order:read'])).status).toBe(403)
})

test('of a user is for those who manage users', async () => {
  const body = { entity: 'Order', policy: { where: OWN }, as: { user } }
  const scopes = ['security:manage', 'Order:read']
  expect((await preview(body, scopes)).status).toBe(403)
  expect((await preview(body, [...scopes, 'users:manage'])).status).toBe(200)
})
