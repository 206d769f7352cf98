import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { policies } from '@/lib/db/schema'
import { definePolicy } from '@/lib/policies/define-policy'
import { parsePolicy } from '@/lib/policies/parse-policy'
import { freshDeps } from '@/lib/testing/deps'
import { call, testKey, testKeyOfRoles } from '@/lib/testing/request'
import {
  createPolicy,
  installOrders,
  keyOf,
  listPolicies,
  restore,
} from '../policies/testing/policies-api'
import { DELETE } from './[name]/route'

const deps = freshDeps()
beforeEach(installOrders)

type Headers = Record<string, string>

const remove = (name: string, query: string, headers?: Headers) =>
  call(deps, DELETE, {
    ...{ method: 'DELETE', path: `/api/roles/${name}?${query}`, params: { name } },
    ...(headers ? { headers } : { as: 'ADMIN' }),
  })

const READ = { entities: ['Order'], actions: ['read'] }
const make = (name: string, policy: object) => createPolicy({ name, ...READ, ...policy })
const narrow = (...scopes: string[]) => keyOf(['ADMIN'], ['security:manage', ...scopes])

/** Refused to a key that may not read orders, without a change, and done by one that may. */
async function isForReaders(work: (headers: Headers) => ReturnType<typeof remove>) {
  const before = (await listPolicies()).body.data
  const { status, body } = await work(await narrow('users:manage', 'Branch:*', 'Order:update'))
  expect(status).toBe(403)
  expect(body.error).toMatch(/Order:read|rights that you lack/)
  expect((await listPolicies()).body.data).toEqual(before)
  expect((await work(await narrow('users:manage', 'Order:read'))).status).toBe(200)
}

test('a role that takes the place of another one in policies is given what they allow by who may do it', async () => {
  await make('Strong', { principals: ['Strong'] })
  await make('Weak', { principals: ['Weak'], entities: ['Branch'], allow: false })
  await isForReaders((headers) => remove('Strong', 'replacement=Weak', headers))
})

test('a role whose policies of a plugin allow more is given in place of another one by who may do that', async () => {
  await definedByPlugin({ principals: ['Strong'] })
  await make('Weak', { principals: ['Weak'], entities: ['Branch'], allow: false })
  await testKeyOfRoles(deps, ['Weak'])
  const remover = await narrow('Branch:*')
  expect((await remove('Weak', 'replacement=Strong', remover)).status).toBe(403)
})

test('a denial goes with its role by who may do what it denies', async () => {
  await make('Hidden', { principals: ['Restricted'], allow: false, fields: ['note'] })
  await isForReaders((headers) => remove('Restricted', 'users=remove', headers))
  expect((await listPolicies()).body.data).toEqual([])
})

test('an invalid policy goes with its role by who may do what it names', async () => {
  await make('Clerks', { principals: ['Clerk'] })
  await deps.db.execute(sql`update ${policies} set invalid = 'It does not fit'`)
  await isForReaders((headers) => remove('Clerk', 'users=remove', headers))
})

test('a role that a plugin denies something is taken away by who may do that', async () => {
  await definedByPlugin({ principals: ['Restricted'], allow: false })
  const idle = await narrow()
  await testKeyOfRoles(deps, ['restricted'])
  expect((await remove('Restricted', 'users=remove', idle)).status).toBe(403)
  const reader = await narrow('Order:read')
  expect((await remove('Restricted', 'users=remove', reader)).status).toBe(200)
  // Nobody has it any more.
  expect((await remove('Restricted', 'users=remove', idle)).status).toBe(200)
})

async function definedByPlugin(policy: object): Promise<void> {
  const parsed = parsePolicy({ name: 'Of a plugin', ...READ, ...policy })
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
  await definePolicy(deps.db, parsed.definition, 'test.plugin')
}

test('roles are given back to users by who manages them', async () => {
  await testKey(deps, ['Old'])
  const { body } = await remove('Old', 'users=remove')
  const { batchId } = body.meta
  expect((await restore(batchId, await narrow('Order:read'))).status).toBe(403)
  expect((await restore(batchId, await narrow('users:manage'))).status).toBe(200)
})

test('roles are given back to keys without managing users', async () => {
  await testKeyOfRoles(deps, ['Old'])
  const { body } = await remove('Old', 'users=remove')
  expect((await restore(body.meta.batchId, await narrow())).status).toBe(200)
})

test('a role that denies something is taken back by who may do that', async () => {
  await make('Restricted', { principals: ['Restricted'], allow: false })
  await testKeyOfRoles(deps, ['Old'])
  const { body } = await remove('Old', 'replacement=Restricted')
  await isForReaders((headers) => restore(body.meta.batchId, headers))
})
