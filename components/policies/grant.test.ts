import { expect, test } from 'vitest'
import type { EntitySummary } from '@/lib/registry/summary-contract'
import { grantOf } from './grant'
import type { Policy } from './policy-queries'

const ORDER = {
  name: 'Order',
  permissions: { read: true, write: true, update: true, delete: false },
  keys: [{ key: 'id', type: 'number', strategy: 'AutoIncrement' }],
  fields: ['id', 'branch', 'total', 'margin'].map((name) => ({ name, type: 'string' })),
} as unknown as EntitySummary

const policy = (part: Partial<Policy>): Policy => ({
  ...{ id: 'p', name: 'Orders', plugin: null, invalid: null, allow: true, priority: 0 },
  ...{ createdAt: '', updatedAt: '' },
  ...{ principals: ['Clerk'], entities: ['Order'], actions: ['read'], ...part },
})
const OWN = [{ field: 'branch', operator: 'eq', value: '$me.profile.branch' }]
const NORTH = [{ field: 'branch', operator: 'eq', value: 'north' }]

const read = (role: string, ...policies: Policy[]) =>
  grantOf({ role, policies, entity: ORDER, action: 'read' })

test.each([
  ['nothing said', [], 'none', null],
  ['an allowing policy', [policy({})], 'all', null],
  ['one with conditions', [policy({ where: OWN })], 'some', null],
  ['one with conditions and one without', [policy({ where: OWN }), policy({})], 'all', null],
  ['one of some fields', [policy({ fields: ['total'] })], 'all', ['id', 'total']],
  [
    'one without some fields',
    [policy({ fields: { except: ['margin'] } })],
    'all',
    ['id', 'branch', 'total'],
  ],
  [
    'two that add up',
    [policy({ fields: ['total'] }), policy({ where: OWN, fields: ['margin'] })],
    'all',
    ['id', 'total', 'margin'],
  ],
  ['a denial', [policy({}), policy({ allow: false })], 'none', null],
  ['a denial of rows', [policy({}), policy({ allow: false, where: NORTH })], 'some', null],
  [
    'a denial of a field',
    [policy({}), policy({ allow: false, fields: ['margin'] })],
    'all',
    ['id', 'branch', 'total'],
  ],
  ['an invalid policy', [policy({}), policy({ where: OWN, invalid: 'gone' })], 'none', null],
] as const)('%s', (_, policies, rows, fields) => {
  expect(read('Clerk', ...policies)).toMatchObject({ rows, fields })
})

test('a built-in role gives what policies take away in part', () => {
  expect(read('VIEWER', policy({ allow: false, where: NORTH, fields: ['margin'] }))).toMatchObject({
    rows: 'all',
    fields: null,
  })
  expect(read('ADMIN', policy({ allow: false })).rows).toBe('all')
})

test('what the definition allows to nobody is closed', () => {
  const question = { role: 'ADMIN', policies: [], entity: ORDER, action: 'delete' } as const
  expect(grantOf(question)).toMatchObject({ rows: 'none', closed: true })
})
