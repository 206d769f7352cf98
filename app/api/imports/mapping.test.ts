import { beforeEach, expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { importsOfUser, installPeople } from './testing/imports-api'

const deps = freshDeps()
beforeEach(() => installPeople(deps))

test('columns are found by name, label, spelling and likeness, and the answer says how', async () => {
  const mine = await importsOfUser(deps)
  const found = await mine.result(
    'Full name,E-Mail,sinse,SIZE,kind,CreatedAt\nAnn,a@example.com,2024-01-02,2,big,x\n',
  )
  expect(found).toMatchObject({ status: 'DONE', created: 1 })
  expect(found.columns).toEqual([
    { column: 'Full name', field: 'name', by: 'name', reason: null },
    { column: 'E-Mail', field: 'email', by: 'name', reason: null },
    { column: 'sinse', field: 'since', by: 'likeness', reason: null },
    { column: 'SIZE', field: 'size', by: 'name', reason: null },
    { column: 'kind', field: 'kind', by: 'name', reason: null },
    { column: 'CreatedAt', field: null, by: 'ignored', reason: 'is set by the server' },
  ])
})

test('a column that belongs to no field is refused, or left out if asked', async () => {
  const mine = await importsOfUser(deps)
  const file = 'name,colour,emial\nAnn,red,x\n'
  const { status, body } = await mine.send(file)
  expect(status).toBe(400)
  expect(body.validations).toMatchObject([
    { field: 'mapping.colour', error: expect.stringContaining('is not a field of Person') },
    { field: 'mapping.emial', error: expect.stringContaining('did you mean "email"?') },
  ])
  expect(body.meta.columns).toMatchObject([{ column: 'name', field: 'name' }])
  const left = await mine.result(file, { query: 'unknownColumns=ignore' })
  expect(left.columns.slice(1)).toMatchObject([
    { column: 'colour', field: null, reason: 'is not a field of Person' },
    { column: 'emial', field: null },
  ])
})

test('a mapping decides about every column', async () => {
  const mine = await importsOfUser(deps)
  const file = 'a,b,c\nAnn,x,3\n'
  const mapping = { a: 'name', b: null, c: 'rank' }
  expect((await mine.result(file, { mapping })).columns).toEqual([
    { column: 'a', field: 'name', by: 'mapping', reason: null },
    { column: 'b', field: null, by: 'ignored', reason: 'is left out by the mapping' },
    { column: 'c', field: 'rank', by: 'mapping', reason: null },
  ])
  const refused = async (input: object) =>
    (await mine.send(file, { mapping: input })).body.validations
  expect(await refused({ a: 'name', c: 'rank' })).toMatchObject([{ field: 'mapping.b' }])
  expect(await refused({ ...mapping, d: 'kind' })).toMatchObject([
    { field: 'mapping.d', error: expect.stringContaining('has no column "d"') },
  ])
  expect(await refused({ ...mapping, b: 'nmae' })).toMatchObject([
    { field: 'mapping.b', error: '"nmae" is not a field of Person; did you mean "name"?' },
  ])
  expect(await refused({ ...mapping, b: 'LastUpdatedBy' })).toMatchObject([
    { field: 'mapping.b', error: '"LastUpdatedBy" is set by the server' },
  ])
  expect(await refused({ ...mapping, b: 'rank' })).toMatchObject([
    { field: 'mapping.c', error: 'The columns "b" and "c" are both mapped to "rank"' },
  ])
  expect(await refused({ a: 5 })).toMatchObject([{ field: 'mapping' }])
})

test('undeclared fields of an open entity are named by a mapping', async () => {
  await installTestEntity(deps, { entity: { name: 'Open' } })
  const mine = await importsOfUser(deps)
  const open = { entityName: 'Open' }
  expect((await mine.send('anything\n1\n', open)).status).toBe(400)
  const mapping = { anything: 'anything' }
  expect(await mine.result('anything\n1\n', { ...open, mapping })).toMatchObject({ created: 1 })
  // From then on it is known.
  expect(await mine.result('anything\n2\n', open)).toMatchObject({ created: 1 })
})

test('a computed field is left out', async () => {
  await installTestEntity(deps, {
    entity: { name: 'Box' },
    schema: {
      properties: [
        { name: 'side', type: 'integer' },
        { name: 'area', type: 'integer', meta: { computed: 'side * side' } },
      ],
    },
  })
  const mine = await importsOfUser(deps)
  const found = await mine.result('side,area\n3,10\n', { entityName: 'Box' })
  expect(found).toMatchObject({ created: 1 })
  expect(found.columns[1]).toMatchObject({ field: null, reason: 'is computed from other fields' })
})
