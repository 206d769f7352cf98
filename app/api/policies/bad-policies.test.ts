import { beforeAll, expect, test } from 'vitest'
import type { Validation } from '@/lib/errors'
import { testDeps } from '@/lib/testing/deps'
import {
  CLERKS,
  changePolicy,
  createPolicy,
  installOrders,
  listPolicies,
} from './testing/policies-api'

// Nothing of the policies that are refused stays.
beforeAll(async () => {
  await testDeps()
  await installOrders()
})

const where = (field: string, operator: string, value?: unknown) => ({
  where: [{ field, operator, ...(value === undefined ? {} : { value }) }],
})
const other = { field: 'note', operator: 'eq', value: 'x' }

test.each([
  ['an unknown entity', { entities: ['Ordre'] }, 'entities.0', 'did you mean "Order"?'],
  ['an entity of the engine', { entities: ['EngineUsers'] }, 'entities.0', 'administrators'],
  ['an unknown action', { actions: ['fly'] }, 'actions.0', ''],
  [
    'a role that looks like another one',
    { principals: ['ADMlN'] },
    'principals.0',
    'Looks like ADMIN',
  ],
  ['a name that looks like another one', { name: 'Сlerks' }, 'name', 'Latin and Cyrillic'],
  ['an unknown property', { whre: [] }, 'whre', 'did you mean "where"?'],
  [
    'an unknown field',
    { where: [other, other, { ...other, field: 'note1' }] },
    'where.2.field',
    'did you mean "note"?',
  ],
  [
    'one in nested conditions',
    { check: [{ operator: 'or', filters: [other, { ...other, field: 'x' }] }] },
    'check.0.filters.1.field',
    'Unknown field',
  ],
  [
    'one beyond a reference',
    where('branch.regoin', 'eq', 'x'),
    'where.0.field',
    'did you mean "branch.region"?',
  ],
  [
    'a path through what is no reference',
    where('note.x', 'eq', 'x'),
    'where.0.field',
    'neither JSON nor a reference',
  ],
  [
    'an operator that does not suit',
    where('total', 'like', 'x'),
    'where.0.operator',
    'does not suit "total"',
  ],
  [
    'a value that cannot be converted',
    where('total', 'gt', 'many'),
    'where.0.value',
    '"many" is not',
  ],
  ['the user as a number', where('total', 'eq', '$me'), 'where.0.value', 'is not'],
  [
    'a misspelt value of the user',
    where('note', 'eq', '$me.profil.x'),
    'where.0.value',
    '$me.profile.<key>',
  ],
  ['a bad relative time', where('dueAt', 'gt', '$now(-7x)'), 'where.0.value', ''],
  ['65 conditions', { where: Array(65).fill(other) }, 'where', '65'],
  [
    'an unknown field to hide',
    { fields: { except: ['note', 'totals'] } },
    'fields.except.1',
    'did you mean "total"?',
  ],
  ['an unknown field to show', { fields: ['totals'] }, 'fields.0', 'did you mean "total"?'],
  ['an unknown field to set', { set: { owner: '$me' } }, 'set.owner', 'did you mean "ownerId"?'],
  ['a constant that is too large', { set: { total: 1001 } }, 'set.total', 'at most 1000'],
  ['null where a value is needed', { set: { total: null } }, 'set.total', 'null'],
  ['the time in a text', { set: { total: '$now' } }, 'set.total', ''],
  [
    'a field that the server keeps',
    { set: { CreatedBy: '$me' } },
    'set.CreatedBy',
    'kept by the server',
  ],
  ['values that a denial sets', { allow: false, set: { note: 'x' } }, 'set', 'this one denies'],
  [
    'a condition that not each entity has',
    { entities: ['*'], ...where('total', 'gt', 1) },
    'where.0.field',
    '(in Branch)',
  ],
])('a policy with %s is refused, naming the place', async (_, change, field, error) => {
  const { status, body } = await createPolicy({ ...CLERKS, ...change })
  expect(status).toBe(400)
  const [first] = body.validations as Validation[]
  expect([first?.field, first?.error]).toEqual([field, expect.stringContaining(error)])
  expect((await listPolicies()).body.data).toEqual([])
})

test('a policy may say what only its use decides', async () => {
  const good = {
    where: [
      { field: 'total', operator: 'eq', value: '$me.profile.limit' },
      { field: 'total', operator: 'in', value: [1, '$me.profile.limit'] },
      { field: 'ownerId', operator: 'ne', value: '$me' },
      { field: 'branch.manager.boss.name', operator: 'isnull' },
      { field: 'dueAt', operator: 'gt', value: '$now(-7d)' },
    ],
    fields: { except: ['branch', 'total', 'id'] },
    set: { ownerId: '$me.profile.id', dueAt: '$today', branch: null, total: '$me.profile.total' },
  }
  const { status, body } = await createPolicy({ ...CLERKS, ...good, name: 'By its use' })
  expect([status, body.validations]).toEqual([201, undefined])
})

test('policies that lead in a circle by references are refused; one to itself is none', async () => {
  const of = (name: string, entity: string, field: string) =>
    createPolicy({ ...CLERKS, name, entities: [entity], ...where(field, 'eq', 'x') })
  expect((await of('own', 'Employee', 'boss.name')).status).toBe(201)
  expect((await of('a', 'Order', 'branch.region')).status).toBe(201)
  const branches = await of('b', 'Branch', 'manager.name')
  expect(branches.status).toBe(201)
  const circle = await of('c', 'Employee', 'branch.region')
  expect(circle.status).toBe(400)
  expect(circle.body.validations).toEqual([
    {
      field: 'where.0.field',
      error: expect.stringContaining('Employee → Branch → Employee, with the policy "b"'),
    },
  ])
  const id = branches.body.data[0].id
  expect((await changePolicy(id, where('region', 'eq', 'x'))).status).toBe(200)
  expect((await of('c', 'Employee', 'branch.region')).status).toBe(201)
  expect((await changePolicy(id, where('manager.name', 'eq', 'x'))).status).toBe(400)
})

const deep = (depth: number): object =>
  depth === 0 ? other : { operator: 'not', filters: [deep(depth - 1)] }

test.each([
  ['no object', []],
  ['nothing', {}],
  ['nested conditions without end', { ...CLERKS, where: [deep(60)] }],
  ['a name of a prototype', { ...CLERKS, ...where('constructor', 'eq', 'x') }],
  ['texts that cannot be stored', { ...CLERKS, ...where('note', 'eq', 'a\u0000b') }],
  ['a value without end', { ...CLERKS, ...where('note', 'eq', 'x'.repeat(200_000)) }],
  ['many values', { ...CLERKS, ...where('note', 'in', Array(9_000).fill('x')) }],
  ['many fields', { ...CLERKS, fields: Array.from({ length: 300 }, (_, at) => `f${at}`) }],
  ['a where of another type', { ...CLERKS, where: 'note = 1 or true' }],
])('a body with %s is refused', async (_, body) => {
  expect((await createPolicy(body)).status).toBe(400)
})
