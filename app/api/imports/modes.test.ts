import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { importsOfUser, installPeople } from './testing/imports-api'

const deps = freshDeps()

const PEOPLE = [
  { id: 1, name: 'Ann', email: 'ann@example.com', rank: 1, kind: 'big' },
  { id: 2, name: 'Bob', email: 'bob@example.com', rank: 2, kind: 'big' },
]
beforeEach(() => installPeople(deps, PEOPLE))

const stored = () =>
  rows(
    deps.db,
    sql`select id::int, name, email, rank::int, kind, "LastUpdatedBy" is not null as touched from entities.person order by id`,
  )

test('create refuses rows whose key or unique value is stored, or in an earlier row', async () => {
  const mine = await importsOfUser(deps)
  const file =
    'id,name,email\n1,X,\n10,Y,bob@example.com\n11,Z,z@example.com\n11,W,\n12,V,z@example.com\n'
  const dry = await mine.result(file, { query: 'dryRun=true' })
  const done = await mine.result(file, { query: 'partial=true' })
  expect(dry).toMatchObject({ created: 1, refused: 4 })
  expect(done).toMatchObject({ created: 1, refused: 4, groups: dry.groups })
  expect(done.groups).toMatchObject([
    { rule: 'unique', field: 'email', total: 2 },
    { rule: 'unique', field: 'id', total: 1, indexes: [3] },
    { rule: 'key', field: 'id', total: 1, indexes: [0] },
  ])
  const { text } = await mine.refused(done.id)
  expect(text).toContain('The key ""id"" = 1 exists already')
  expect(text).toContain('repeats ""email"" of an earlier row')
  // The next generated key passes the given ones.
  expect(await mine.result('name\nNew\n')).toMatchObject({ created: 1 })
  expect(await stored()).toMatchObject([{ id: 1 }, { id: 2 }, { id: 11 }, { id: 12 }])
})

describe('update', () => {
  test('changes the columns of the file alone; an empty cell empties the field', async () => {
    const mine = await importsOfUser(deps)
    const file = 'id,rank,kind\n1,7,\n2,2,big\n3,1,big\n'
    const dry = await mine.result(file, { query: 'mode=update&dryRun=true' })
    expect(dry).toMatchObject({ updated: 2, refused: 1 })
    const done = await mine.result(file, { query: 'mode=update&partial=true' })
    expect(done).toMatchObject({ created: 0, updated: 1, unchanged: 1, refused: 1 })
    expect(done.groups).toMatchObject([{ rule: 'key', field: 'id', total: 1, indexes: [2] }])
    expect(await stored()).toMatchObject([
      { id: 1, name: 'Ann', rank: 7, kind: null, touched: true },
      { id: 2, name: 'Bob', rank: 2, kind: 'big', touched: false },
    ])
  })

  test('by another unique field; the key of a record is not changed', async () => {
    const mine = await importsOfUser(deps)
    const file =
      'id,email,name\n,ann@example.com,Anna\n9,bob@example.com,Bobby\n,eve@example.com,Eve\n'
    const done = await mine.result(file, { query: 'mode=update&key=email&partial=true' })
    expect(done).toMatchObject({ updated: 1, refused: 2, key: ['email'] })
    const { text } = await mine.refused(done.id)
    expect(text).toContain('has the key 2, which an import does not change')
    expect(text).toContain('There is no record with ""email"" = ""eve@example.com""')
    expect(await stored()).toMatchObject([{ name: 'Anna' }, { name: 'Bob' }])
  })

  test('refuses rows without the key, and with a unique value of another record', async () => {
    const mine = await importsOfUser(deps)
    const file = 'id,email\n,x@example.com\n1,bob@example.com\n2,bob@example.com\n'
    const found = await mine.result(file, { query: 'mode=update' })
    expect(found).toMatchObject({ status: 'FAILED', refused: 3 })
    expect(found.groups).toMatchObject([
      { rule: 'unique', field: 'email', total: 2, indexes: [2, 1] },
      { rule: 'required', field: 'id', total: 1, indexes: [0] },
    ])
  })
})

describe('upsert', () => {
  test('by the key creates and changes', async () => {
    const mine = await importsOfUser(deps)
    const file = 'id,name,rank\n1,Ann,\n5,Eve,5\n'
    const dry = await mine.result(file, { query: 'mode=upsert&dryRun=true' })
    expect(dry).toMatchObject({ created: 1, updated: 1 })
    expect(await mine.result(file, { query: 'mode=upsert' })).toMatchObject({
      created: 1,
      updated: 1,
    })
    expect(await mine.result(file, { query: 'mode=upsert' })).toMatchObject({ unchanged: 2 })
    expect(await stored()).toMatchObject([
      { id: 1, rank: null, kind: 'big', email: 'ann@example.com' },
      { id: 2 },
      { id: 5, rank: 5, kind: 'small' },
    ])
  })

  test('by another unique field', async () => {
    const mine = await importsOfUser(deps)
    const file = 'email,name\nbob@example.com,Robert\neve@example.com,Eve\n,Nobody\n'
    const done = await mine.result(file, { query: 'mode=upsert&key=email&partial=true' })
    expect(done).toMatchObject({ created: 1, updated: 1, refused: 1 })
    expect(await stored()).toMatchObject([
      { name: 'Ann' },
      { id: 2, name: 'Robert' },
      { name: 'Eve' },
    ])
  })
})

test.each([
  ['mode=create&key=email', 'New records are not looked for'],
  ['mode=update&key=name', 'does not identify one record; use "id", "email"'],
  ['mode=update&key=id', 'no column for "id"'],
  ['mode=delete', 'must be create, update or upsert'],
])('%s is refused before anything is started', async (query, message) => {
  const mine = await importsOfUser(deps)
  const { status, body } = await mine.send('name,email\nAnn,a@example.com\n', { query })
  expect([status, body.error]).toEqual([400, expect.stringContaining(message)])
  expect(await mine.list()).toEqual([])
})

describe('references', () => {
  const NODES = {
    entity: { name: 'Node', pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }] },
    schema: {
      properties: [
        { name: 'code', type: 'string' },
        { name: 'parent', type: 'string', meta: { reference: { entity: 'Node', field: 'code' } } },
        { name: 'owner', type: 'integer', meta: { reference: { entity: 'Person', field: 'id' } } },
      ],
    },
  }
  const send = { entityName: 'Node', fileName: 'nodes.csv' }

  test('may lead to later rows; rows that lead to nothing, or to refused ones, are refused', async () => {
    await installTestEntity(deps, NODES)
    const mine = await importsOfUser(deps)
    const file = 'code,parent,owner\na,b,1\nb,c,\nc,,2\nx,y,\ny,gone,\nz,,99\nw,z,\np,q,\nq,p,\n'
    const dry = await mine.result(file, { ...send, query: 'dryRun=true' })
    const done = await mine.result(file, { ...send, query: 'partial=true' })
    expect(dry).toMatchObject({ created: 5, refused: 4 })
    expect(done).toMatchObject({ status: 'DONE', created: 5, refused: 4, groups: dry.groups })
    const found = await rows<{ code: string }>(
      deps.db,
      sql`select code from entities.node order by 1`,
    )
    expect(found.map(({ code }) => code).join('')).toBe('abcpq')
    const { text } = await mine.refused(done.id)
    expect(text).toContain('""owner"" refers to 99, which is not in Person')
    expect(text).toContain('""parent"" refers to ""gone"", which is not in Node, or is refused')
  })

  test('all or nothing, also when only a reference is wrong', async () => {
    await installTestEntity(deps, NODES)
    const mine = await importsOfUser(deps)
    const done = await mine.result('code,owner\na,1\nb,99\n', send)
    expect(done).toMatchObject({ status: 'FAILED', refused: 1, groups: [{ rule: 'reference' }] })
    expect(await rows(deps.db, sql`select from entities.node`)).toEqual([])
  })
})
