import { beforeEach, expect, test } from 'vitest'
import { users } from '@/lib/db/schema'
import type { Role } from '@/lib/policies/contract'
import { definePolicy, defineRole } from '@/lib/policies/define-policy'
import { parsePolicy } from '@/lib/policies/parse-policy'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import type { Json } from '@/lib/values/json'
import { GET as READ } from './[name]/route'
import { GET as LIST } from './route'

const deps = freshDeps()

async function definePolicies(...policies: object[]) {
  for (const policy of policies) {
    const parsed = parsePolicy({
      entities: ['Note'],
      actions: ['read'],
      ...policy,
    } as unknown as Json)
    if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
    await definePolicy(deps.db, parsed.definition, 'a.plugin')
  }
}

beforeEach(async () => {
  await defineRole(deps.db, { name: 'Porter', label: 'Porters' }, 'a.plugin')
  await definePolicies(
    { name: 'a', principals: ['Clerk', 'PORTER'] },
    { name: 'b', principals: ['Guest'], allow: false },
  )
  const user = (email: string, roles: string[]) => ({ email, roles, status: 'ACTIVATED' as const })
  await deps.db
    .insert(users)
    .values([
      user('a@example.com', ['viewer', 'CLERK']),
      user('b@example.com', ['EDITR', 'Viewer']),
    ])
})

const list = async (query = '') =>
  (await call(deps, LIST, { path: `/api/roles${query}`, as: 'ADMIN' })).body as {
    data: Role[]
    meta: { policies: { name: string }[] }
    pagination: { total: number }
  }
const read = async (name: string): Promise<Role> =>
  (await call(deps, READ, { path: `/api/roles/${name}`, params: { name }, as: 'ADMIN' })).body
    .data[0]

test('roles are those built in, described, named by policies and given to users, once each', async () => {
  const { data, meta, pagination } = await list()
  expect(data.map(({ name, users, grants, builtIn }) => [name, users, grants, builtIn])).toEqual([
    ['ADMIN', 1, true, true], // the caller
    ['EDITOR', 0, true, true],
    ['VIEWER', 2, true, true],
    ['ANONYMOUS', 0, false, true],
    ['Clerk', 1, true, false],
    ['EDITR', 1, false, false],
    ['Guest', 0, false, false],
    ['Porter', 0, true, false],
  ])
  expect(pagination.total).toBe(8)
  expect(meta.policies.map(({ name }) => name).sort()).toEqual(['a', 'b'])
  expect(data[7]).toMatchObject({ label: 'Porters', pluginId: 'a.plugin', policies: ['a'] })
  expect(data[2]?.permissions).toEqual(['images:read'])
})

test('roles are found by a part of their name, in pages', async () => {
  const { data, pagination } = await list('?role=edit&page=1&size=1')
  expect(data.map(({ name }) => name)).toEqual(['EDITR'])
  expect(pagination.total).toBe(2)
})

test('any name can be asked for, and is told what it grants', async () => {
  expect(await read('clerk')).toMatchObject({ name: 'Clerk', users: 1, grants: true })
  expect(await read('Nobody')).toMatchObject({ name: 'Nobody', users: 0, grants: false })
  await definePolicies({ name: 'c', principals: ['*'] })
  expect(await read('Nobody')).toMatchObject({ grants: true, policies: ['c'] })
  expect(await read('Guest')).toMatchObject({ grants: false, policies: ['b', 'c'] })
})
