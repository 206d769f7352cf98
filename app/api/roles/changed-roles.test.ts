import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { generateApiKey } from '@/lib/auth/api-key'
import { apiKeys, auditLog, users } from '@/lib/db/schema'
import { one } from '@/lib/db/sql'
import { defineRole } from '@/lib/policies/define-policy'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import {
  CLERKS,
  createPolicy,
  installOrders,
  keyOf,
  listPolicies,
  restore,
} from '../policies/testing/policies-api'
import { DELETE, GET, PATCH } from './[name]/route'
import { GET as LIST, POST } from './route'

const deps = freshDeps()
beforeEach(installOrders)

type Headers = Record<string, string>

const create = (body: unknown) =>
  call(deps, POST, { method: 'POST', path: '/api/roles', body, as: 'ADMIN' })
const of = (name: string, query = '') => ({ path: `/api/roles/${name}${query}`, params: { name } })
const read = async (name: string) =>
  (await call(deps, GET, { ...of(name), as: 'ADMIN' })).body.data[0]
const change = (name: string, body: unknown) =>
  call(deps, PATCH, { method: 'PATCH', ...of(name), body, as: 'ADMIN' })
const remove = (name: string, query = '', headers?: Headers) =>
  call(deps, DELETE, {
    ...{ method: 'DELETE', ...of(name, query) },
    ...(headers ? { headers } : { as: 'ADMIN' }),
  })

/** A user and a key of its own with this role beside others. */
async function hold(role: string): Promise<void> {
  const email = `${role}@example.com`
  const roles = ['VIEWER', role.toUpperCase(), 'Other']
  await deps.db.insert(users).values({ email, roles, status: 'ACTIVATED' })
  const { prefix, hash } = generateApiKey()
  await deps.db.insert(apiKeys).values({ name: email, prefix, hash, roles: [role], ownerId: null })
}

const rolesOf = async (role: string) => {
  const email = `${role}@example.com`
  const user = one(await deps.db.select().from(users).where(eq(users.email, email)))
  const key = one(await deps.db.select().from(apiKeys).where(eq(apiKeys.name, email)))
  return [user.roles, key.roles]
}

const principals = async () =>
  (await listPolicies()).body.data.map((one: { principals: string[] }) => one.principals)

test('a role is made, changed and deleted, with an undo', async () => {
  const made = await create({ name: 'Clerk', label: 'Clerks', description: 'At a branch' })
  expect(made.status).toBe(201)
  const whole = { name: 'Clerk', label: 'Clerks', description: 'At a branch', builtIn: false }
  expect(made.body.data).toMatchObject([{ ...whole, pluginId: null, grants: false }])
  expect(
    (await call(deps, LIST, { path: '/api/roles?role=clerk', as: 'ADMIN' })).body.data,
  ).toMatchObject([whole])

  const changed = await change('clerk', { label: null, description: 'Anywhere' })
  expect(await read('Clerk')).toMatchObject({ label: null, description: 'Anywhere' })
  expect((await restore(changed.body.meta.batchId)).body.data).toMatchObject([{ restored: 1 }])
  expect(await read('Clerk')).toMatchObject({ label: 'Clerks', description: 'At a branch' })

  const { body } = await remove('Clerk')
  expect((await remove('Clerk')).status).toBe(404)
  await restore(body.meta.batchId)
  expect(await read('Clerk')).toMatchObject(whole)
  const log = (await deps.db.select().from(auditLog)).filter((one) => one.objectType === 'role')
  expect(log.map(({ action, details }) => [action, details])).toMatchObject([
    ['roles.create', { after: { label: 'Clerks' } }],
    ['roles.update', { before: { label: 'Clerks' }, after: { description: 'Anywhere' } }],
    ['roles.restore', { restored: 1, conflicts: 0 }],
    ['roles.delete', { before: { label: 'Clerks' }, users: 0, keys: 0, policies: 0 }],
    ['roles.restore', {}],
  ])
})

test.each([
  ['no name', {}, 400, 'name'],
  ['a name that looks like a built-in one', { name: 'ADMlN' }, 400, 'name'],
  ['a name with blanks around it', { name: ' Clerk' }, 400, 'name'],
  ['unknown properties', { name: 'Clerk', lable: 'x' }, 400, 'lable'],
  ['a long label', { name: 'Clerk', label: 'x'.repeat(129) }, 400, 'label'],
  ['a built-in name', { name: 'admin' }, 409, undefined],
])('a role with %s is refused', async (_, body, status, field) => {
  const response = await create(body)
  expect([response.status, response.body.validations?.[0]?.field]).toEqual([status, field])
})

test('of two roles made at once by one name, one is', async () => {
  const both = await Promise.all([create({ name: 'Clerk' }), create({ name: 'CLERK' })])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
})

test('roles that are built in, and those of plugins, are neither changed nor deleted', async () => {
  await defineRole(deps.db, { name: 'Porter', label: 'Porters' }, 'a.plugin')
  for (const [name, why] of [
    ['porter', 'a.plugin'],
    ['Viewer', 'built in'],
    ['anonymous', 'ANONYMOUS'],
  ] as const)
    for (const response of [
      await change(name, { label: 'x' }),
      await remove(name, '?users=remove'),
    ]) {
      expect(response.status).toBe(409)
      expect(response.body.error).toContain(why)
      expect(response.body.error).toContain('make a policy here that denies')
    }
  expect((await create({ name: 'PORTER' })).status).toBe(409)
})

describe('a role in use', () => {
  beforeEach(async () => {
    await create({ name: 'Clerk' })
    await hold('Clerk')
    await createPolicy({ ...CLERKS, name: 'a' })
    await createPolicy({ ...CLERKS, name: 'b', principals: ['Porter', 'CLERK'] })
  })

  test('is not deleted without saying what becomes of it', async () => {
    const { status, body } = await remove('Clerk')
    expect(status).toBe(409)
    expect(body.meta).toMatchObject({ users: 1, keys: 1, policies: 2 })
    expect(body.error).toContain('?users=remove')
    expect(await read('Clerk')).toMatchObject({ users: 1, keys: 1 })
  })

  test('is taken from all, and given back', async () => {
    const { status, body } = await remove('Clerk', '?users=remove')
    expect(status).toBe(200)
    expect(await rolesOf('Clerk')).toEqual([['VIEWER', 'Other'], []])
    expect(await principals()).toEqual([['Porter']])
    expect((await restore(body.meta.batchId)).body.data).toMatchObject([
      { restored: 5, conflicts: [] },
    ])
    expect(await rolesOf('Clerk')).toEqual([['VIEWER', 'CLERK', 'Other'], ['Clerk']])
    expect(await principals()).toEqual([['Clerk'], ['Porter', 'CLERK']])
  })

  test('is replaced by another one, each once', async () => {
    expect((await remove('Clerk', '?replacement=Portre')).body.validations).toEqual([
      { field: 'replacement', error: 'Unknown role "Portre"; did you mean "Porter"?' },
    ])
    for (const name of ['CLERK', 'ANONYMOUS'])
      expect((await remove('Clerk', `?replacement=${name}`)).status).toBe(400)
    expect((await remove('Clerk', '?replacement=viewer')).status).toBe(200)
    expect(await rolesOf('Clerk')).toEqual([['VIEWER', 'Other'], ['VIEWER']])
    expect(await principals()).toEqual([['VIEWER'], ['Porter', 'VIEWER']])
  })

  test('is given back only to those whose roles have not changed since', async () => {
    const { body } = await remove('Clerk', '?users=remove')
    await deps.db
      .update(users)
      .set({ roles: ['Other'] })
      .where(eq(users.email, 'Clerk@example.com'))
    const restored = await restore(body.meta.batchId)
    expect(restored.body.data).toMatchObject([
      {
        restored: 4,
        conflicts: [{ key: 'Clerk@example.com', reason: 'changed-since', fields: ['roles'] }],
      },
    ])
    expect(await rolesOf('Clerk')).toEqual([['Other'], ['Clerk']])
  })

  test('is taken from users only by who may manage them', async () => {
    const headers = await keyOf(['ADMIN'], ['security:manage'])
    expect((await remove('Clerk', '?users=remove', headers)).status).toBe(403)
    const both = await keyOf(['ADMIN'], ['security:manage', 'users:manage'])
    expect((await remove('Clerk', '?replacement=ADMIN', both)).status).toBe(403)
    expect(await rolesOf('Clerk')).toEqual([['VIEWER', 'CLERK', 'Other'], ['Clerk']])
  })
})
