import { beforeEach } from 'vitest'
import { users } from '@/lib/db/schema'
import { definePolicy } from '@/lib/policies/define-policy'
import { parsePolicy } from '@/lib/policies/parse-policy'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { testKey } from '@/lib/testing/request'
import type { Json, JsonObject } from '@/lib/values/json'

// Branches in regions, and their orders: for rights to rows and fields.

export const deps = freshDeps()

const key = (name: string, type: 'string' | 'number') => [{ key: name, strategy: 'Fixed', type }]
const to = (entity: string, field: string) => ({ reference: { entity, field } })

const branches: JsonObject[] = [
  { code: 'N1', region: 'north', budget: 100 },
  { code: 'N2', region: 'north', budget: 200 },
  { code: 'S1', region: 'south', budget: 300 },
]
export const orders: JsonObject[] = [
  { id: 1, branch: 'N1', total: 10, margin: 1, ownerId: null, note: 'one' },
  { id: 2, branch: 'N1', total: 20, margin: 2, ownerId: null, remark: 'two' },
  { id: 3, branch: 'N2', total: 30, margin: 3, ownerId: null, note: 'three' },
  { id: 4, branch: 'S1', total: 40, margin: 4, ownerId: null, note: 'four' },
  { id: 5, branch: 'S1', total: 50, margin: 5, ownerId: null },
]

const install = (entity: object, properties: object[], records: object[]) =>
  installTestEntity(deps, { entity, schema: { properties } }, records)

/** Defines orders with `changes` of the entity. */
export const defineOrders = (changes: object = {}, records: object[] = []) =>
  install(
    { name: 'Order', pks: key('id', 'number'), ...changes },
    [
      { name: 'branch', type: 'string', meta: to('Branch', 'code') },
      { name: 'total', type: 'integer' },
      { name: 'margin', type: 'integer' },
      { name: 'ownerId', type: 'string' },
    ],
    records,
  )

beforeEach(async () => {
  await install(
    { name: 'Branch', pks: key('code', 'string') },
    [
      { name: 'region', type: 'string' },
      { name: 'budget', type: 'integer' },
    ],
    branches,
  )
  await defineOrders({}, orders)
})

/** Lets a policy apply; its name is made up unless it has one. */
export async function allow(policy: object): Promise<void> {
  const json = { name: crypto.randomUUID(), principals: ['Clerk'], actions: ['read'], ...policy }
  const parsed = parsePolicy(json as Json)
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
  await definePolicy(deps.db, parsed.definition, 'test')
}

/** Headers of the key of a new clerk with this profile. */
export async function clerk(profile: JsonObject = {}, roles = ['Clerk']) {
  const key = await testKey(deps, roles)
  await deps.db.update(users).set({ profile })
  return { authorization: `Bearer ${key}` }
}
