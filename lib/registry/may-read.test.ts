import { expect, test } from 'vitest'
import type { Actor, PolicyRule } from '@/lib/auth/rights'
import { mayRead, mayReadAll } from './may-read'

const entity = { name: 'Order', definition: { permissions: { read: true } } } as never

const allow = (part: Partial<PolicyRule>): PolicyRule => ({
  ...{ entities: ['order'], actions: ['read'], allow: true },
  ...part,
})
const NORTH = [{ field: 'branch', operator: 'eq', value: 'north' }]

const reader = (roles: string[], policies: PolicyRule[], scopes: string[] | null = null) =>
  ({ roles, policies, scopes }) as unknown as Actor

test.each([
  ['nobody', [], [], [false, false]],
  ['a viewer', ['VIEWER'], [], [true, true]],
  ['a policy', [], [allow({})], [true, true]],
  ['a policy of some records', [], [allow({ where: NORTH })], [true, false]],
  ['a policy of some fields', [], [allow({ fields: ['total'] })], [true, false]],
  [
    'a viewer without some records',
    ['VIEWER'],
    [allow({ allow: false, where: NORTH })],
    [true, false],
  ],
  [
    'a viewer without a field',
    ['VIEWER'],
    [allow({ allow: false, fields: ['total'] })],
    [true, false],
  ],
  [
    'an administrator, whom policies do not limit',
    ['ADMIN'],
    [allow({ allow: false, where: NORTH })],
    [true, true],
  ],
] as const)('of %s', (_, roles, policies, expected) => {
  const actor = reader([...roles], [...policies])
  expect([mayRead(actor, entity), mayReadAll(actor, entity)]).toEqual(expected)
})

test('scopes of a key take it away', () => {
  const actor = reader(['ADMIN'], [], ['plugins:read'])
  expect([mayRead(actor, entity), mayReadAll(actor, entity)]).toEqual([false, false])
})
