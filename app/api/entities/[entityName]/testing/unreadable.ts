import { beforeEach } from 'vitest'
import { definePolicy } from '@/lib/policies/define-policy'
import { parsePolicy } from '@/lib/policies/parse-policy'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { Json } from '@/lib/values/json'
import * as batch from '../batch/route'

export const deps = freshDeps()
export let admin: Record<string, string>

const SECRET = {
  entity: { name: 'Secret', pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }] },
  schema: {
    properties: [
      { name: 'id', type: 'integer' },
      { name: 'word', type: 'string', unique: true },
      { name: 'hint', type: 'string' },
    ],
  },
}
export const NOTE = {
  entity: { name: 'Note' },
  schema: {
    properties: [{ name: 'secret', type: 'integer', reference: { entity: 'Secret', field: 'id' } }],
  },
}

beforeEach(async () => {
  await installTestEntity(deps, SECRET, [{ id: 1, word: 'swordfish' }])
  admin = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
})

export const bearer = async (roles: string[], scopes?: string[]) => ({
  authorization: `Bearer ${await testKey(deps, roles, scopes)}`,
})

/** Everyone who may delete and change the records, but not read them. */
export const BLIND: [string, () => Promise<Record<string, string>>][] = [
  ['whom a policy denies reading', () => denied()],
  [
    'whose key lacks it',
    () => bearer(['ADMIN'], ['Secret:delete', 'Secret:update', 'Secret:write', 'Note:*']),
  ],
  ['of an entity that is closed to reading', () => closed()],
]

async function denied() {
  const policy = parsePolicy({
    name: 'No reading',
    principals: ['EDITOR'],
    entities: ['secret'],
    actions: ['read'],
    allow: false,
  } as Json)
  if ('faults' in policy) throw new Error('not good')
  await definePolicy(deps.db, policy.definition, 'test')
  return bearer(['EDITOR'])
}

async function closed() {
  const entity = { ...SECRET.entity, permissions: { read: false } }
  await installTestEntity(deps, { ...SECRET, entity })
  return bearer(['ADMIN'])
}

export const guess = [{ field: 'word', operator: 'starts', value: 's' }]
export const remove = (headers: Record<string, string>, body: object, query = '') =>
  call(deps, batch.DELETE, {
    method: 'DELETE',
    path: `/api/entities/Secret/batch?${query}`,
    params: { entityName: 'Secret' },
    headers,
    body: { entity: 'Secret', ...body },
  })
