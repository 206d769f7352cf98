import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditLog, policies } from '@/lib/db/schema'
import { definePolicy } from '@/lib/policies/define-policy'
import { parsePolicy } from '@/lib/policies/parse-policy'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET as COUNT } from '../entities/[entityName]/count/route'
import {
  CLERKS,
  changePolicy,
  createPolicy,
  deletePolicy,
  deps,
  installOrders,
  keyOf,
  listPolicies,
  readPolicy,
} from './testing/policies-api'

freshDeps()
beforeEach(installOrders)

const LIMITS = {
  where: [{ field: 'branch.region', operator: 'eq', value: '$me.profile.region' }],
  fields: { except: ['total'] },
  set: { ownerId: '$me', dueAt: '$now' },
  check: [{ field: 'total', operator: 'lt', value: 100 }],
}

async function made(body: object): Promise<string> {
  const { status, body: response } = await createPolicy(body)
  expect([status, response.validations]).toEqual([201, undefined])
  return response.data[0].id
}

const mayCount = async (headers: Record<string, string>) =>
  (
    await call(deps, COUNT, {
      path: '/api/entities/Order/count',
      params: { entityName: 'Order' },
      headers,
    })
  ).status

test('a policy is made, read, listed, changed and deleted', async () => {
  const id = await made({ ...CLERKS, ...LIMITS, description: 'By region' })
  const whole = { ...CLERKS, ...LIMITS, allow: true, priority: 0, plugin: null, invalid: null }
  expect((await readPolicy(id)).body.data).toMatchObject([
    { id, ...whole, description: 'By region' },
  ])
  expect((await listPolicies()).body).toMatchObject({ data: [{ id }], pagination: { total: 1 } })

  const changes = { name: 'Clerks', where: null, fields: ['note'], priority: 3 }
  const changed = await changePolicy(id, changes)
  expect(changed.body.meta.batchId).toEqual(expect.any(String))
  const [after] = (await readPolicy(id)).body.data
  expect(after).toMatchObject({ name: 'Clerks', fields: ['note'], priority: 3, set: LIMITS.set })
  expect(after).not.toHaveProperty('where')

  expect((await deletePolicy(id)).status).toBe(200)
  expect((await readPolicy(id)).status).toBe(404)
  const log = (await deps.db.select().from(auditLog)).filter((one) => one.objectType === 'policy')
  expect(log.map(({ action, objectId, details }) => [action, objectId, details])).toMatchObject([
    ['policies.create', id, { after: { name: CLERKS.name, ...LIMITS } }],
    ['policies.update', id, { before: { where: LIMITS.where }, after: { fields: ['note'] } }],
    ['policies.delete', id, { before: { name: 'Clerks' }, after: null }],
  ])
})

test('policies are listed by what they are about, in pages', async () => {
  await made({ ...CLERKS, name: 'b' })
  await made({ ...CLERKS, name: 'A', entities: ['branch'], principals: ['*'] })
  await made({ ...CLERKS, name: 'c', entities: ['*'], principals: ['Porter'] })
  const parsed = parsePolicy({ ...CLERKS, name: 'd' })
  if ('definition' in parsed) await definePolicy(deps.db, parsed.definition, 'a.plugin')
  const names = async (query: string) =>
    (await listPolicies(query)).body.data.map(({ name }: { name: string }) => name)
  expect(await names('')).toEqual(['A', 'b', 'c', 'd'])
  expect(await names('?entity=ORDER')).toEqual(['b', 'c', 'd'])
  expect(await names('?role=PORTER')).toEqual(['A', 'c'])
  expect(await names('?plugin=a.plugin')).toEqual(['d'])
  expect(await names('?plugin=-&page=1&size=2')).toEqual(['c'])
})

test('a policy is in force, and revoked, from the next request on', async () => {
  const clerk = await keyOf(['Clerk'])
  expect(await mayCount(clerk)).toBe(403)
  const id = await made(CLERKS)
  await expect.poll(() => mayCount(clerk)).toBe(200)
  await changePolicy(id, { allow: false })
  await expect.poll(() => mayCount(clerk)).toBe(403)
  await changePolicy(id, { allow: true })
  await expect.poll(() => mayCount(clerk)).toBe(200)
  await deletePolicy(id)
  await expect.poll(() => mayCount(clerk)).toBe(403)
})

test('of two that are made at once by one name, one is', async () => {
  const both = await Promise.all([
    createPolicy(CLERKS),
    createPolicy({ ...CLERKS, name: CLERKS.name.toUpperCase() }),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
})

test('of two that would lead in a circle together, one is made', async () => {
  const both = await Promise.all([
    createPolicy({ ...CLERKS, name: 'a', entities: ['Branch'], where: [IN_BRANCH] }),
    createPolicy({ ...CLERKS, name: 'b', entities: ['Employee'], where: [OF_EMPLOYEE] }),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 400])
})

const IN_BRANCH = { field: 'manager.name', operator: 'eq', value: 'x' }
const OF_EMPLOYEE = { field: 'branch.region', operator: 'eq', value: 'x' }

describe('a policy of a plugin', () => {
  test('can be read, but neither changed nor deleted', async () => {
    const parsed = parsePolicy(CLERKS)
    if ('faults' in parsed) throw new Error('not good')
    await definePolicy(deps.db, parsed.definition, 'a.plugin')
    const [{ id, plugin }] = (await listPolicies()).body.data
    expect(plugin).toBe('a.plugin')
    for (const response of [await changePolicy(id, { allow: false }), await deletePolicy(id)]) {
      expect(response.status).toBe(409)
      expect(response.body.error).toMatch(/a\.plugin.*make a policy here that denies/)
    }
    const again = await createPolicy(CLERKS)
    expect(again.status).toBe(409)
  })

  test('does not replace another one that was made here', async () => {
    await made(CLERKS)
    const define = (change: object) => {
      const parsed = parsePolicy({ ...CLERKS, ...change })
      if ('faults' in parsed) throw new Error('not good')
      return definePolicy(deps.db, parsed.definition, 'a.plugin')
    }
    await expect(define({ actions: ['*'] })).rejects.toThrow('was made here')
    expect(await define({})).toMatchObject({ status: 'updated' })
  })
})

test('a key grants no more than its scopes, and may deny anything', async () => {
  const headers = await keyOf(['ADMIN'], ['security:manage', 'Order:read'])
  expect((await createPolicy({ ...CLERKS, actions: ['*'] }, headers)).status).toBe(403)
  expect((await createPolicy(CLERKS, headers)).status).toBe(201)
  const denial = { ...CLERKS, name: 'No', actions: ['*'], allow: false }
  const { body } = await createPolicy(denial, headers)
  expect(body.data).toHaveLength(1)
  expect((await deletePolicy(body.data[0].id, headers)).status).toBe(403)
})

test('an invalid policy denies what it names, and is mended or deleted by who may do that', async () => {
  const id = await made(CLERKS)
  await deps.db.update(policies).set({ invalid: 'It does not fit' }).where(eq(policies.id, id))
  const headers = await keyOf(['ADMIN'], ['security:manage', 'Branch:*'])
  for (const change of [{ fields: ['note'] }, { entities: ['Branch'] }, { allow: false }])
    expect((await changePolicy(id, change, headers)).status).toBe(403)
  expect((await deletePolicy(id, headers)).status).toBe(403)
  const reader = await keyOf(['ADMIN'], ['security:manage', 'Branch:*', 'Order:read'])
  expect((await changePolicy(id, { entities: ['Branch'] }, reader)).status).toBe(200)
  expect((await deletePolicy(id, headers)).status).toBe(200)
})
