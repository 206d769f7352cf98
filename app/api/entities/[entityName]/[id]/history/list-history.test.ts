import { expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import {
  BOOK,
  change,
  create,
  define,
  deps,
  historyOf,
  inBatch,
  read,
  remove,
  run,
  signedInAs,
  told,
} from './testing/books'

test('lists who did what to a record and which fields it changed, newest first', async () => {
  await create({ id: 1, title: 'A', price: 1, at: '2024-02-29T12:00:00.5Z' })
  await change('1', { title: 'B', tags: ['x'], note: 'undeclared' })
  await remove('1')
  const { status, body, headers } = await historyOf('1')
  expect(status).toBe(200)
  expect(told(body.data)).toEqual([
    [
      'delete',
      'records.delete',
      {
        id: [1, undefined],
        title: ['B', undefined],
        price: [1, undefined],
        at: ['2024-02-29T12:00:00.500Z', undefined],
        tags: [['x'], undefined],
        twice: [2, undefined],
        note: ['undeclared', undefined],
      },
    ],
    [
      'update',
      'records.update',
      { title: ['A', 'B'], tags: [undefined, ['x']], note: [undefined, 'undeclared'] },
    ],
    [
      'insert',
      'records.create',
      {
        id: [undefined, 1],
        title: [undefined, 'A'],
        price: [undefined, 1],
        at: [undefined, '2024-02-29T12:00:00.500Z'],
        twice: [undefined, 2],
      },
    ],
  ])
  for (const { by, at, install, version } of body.data) {
    expect(by).toEqual({ type: 'api_key', name: 'test' })
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(3_600_000)
    expect([install, typeof version]).toEqual([null, 'number'])
  }
  expect(body.meta).toEqual({ kept: true, exists: false, versions: 50, days: 365 })
  expect(headers.get('etag')).toBeNull()
  expect(body.pagination).toMatchObject({ total: 3, pages: 1 })
})

test('gives the state before the oldest version of a record that is older than its history', async () => {
  await define({ history: false })
  await create({ id: 1, title: 'A' })
  await define()
  await change('1', { title: 'B' })
  const { body, headers } = await historyOf('1')
  expect(told(body.data)).toEqual([
    ['update', 'records.update', { title: ['A', 'B'] }],
    ['earlier', null, {}],
  ])
  expect(body.data[1]).toMatchObject({ version: 0, at: null, by: null, restorable: true })
  expect(headers.get('etag')).toBe((await read('1')).headers.get('etag'))
})

test('leads each change to what the next one found, across pages', async () => {
  await create({ id: 1, title: 't0' })
  for (const n of [1, 2, 3, 4]) await change('1', { title: `t${n}` })
  const pages = []
  for (const page of [0, 1, 2])
    pages.push(...(await historyOf('1', { query: `page=${page}&size=2` })).body.data)
  expect(told(pages).map(([, , changes]) => (changes as { title: unknown }).title)).toEqual([
    ['t3', 't4'],
    ['t2', 't3'],
    ['t1', 't2'],
    ['t0', 't1'],
    [undefined, 't0'],
  ])
})

test('keeps the history of batches, of edits of many and of deletions of all', async () => {
  await inBatch('POST', [
    { id: 1, title: 'A' },
    { id: 2, title: 'B' },
  ])
  await inBatch('PUT', [{ id: 1, title: 'A2' }])
  await inBatch('PATCH', { entity: 'Book', set: { price: { $increment: 1 }, title: 'C' } })
  await inBatch('DELETE', { entity: 'Book' })
  expect(told((await historyOf('2')).body.data)).toEqual([
    ['delete', 'records.delete', { id: [2, undefined], title: ['C', undefined] }],
    ['update', 'records.update', { title: ['B', 'C'] }],
    ['insert', 'records.create', { id: [undefined, 2], title: [undefined, 'B'] }],
  ])
  expect(told((await historyOf('1')).body.data).map(([kind, action]) => [kind, action])).toEqual([
    ['delete', 'records.delete'],
    ['update', 'records.update'],
    ['update', 'records.update'],
    ['insert', 'records.create'],
  ])
})

test('says that what psql did was done by no caller', async () => {
  await run(`insert into entities.book (id, title) values (7, 'raw')`)
  await run(`update entities.book set title = 'x'`)
  await run(`truncate entities.book`)
  const { body } = await historyOf('7')
  expect(told(body.data)).toEqual([
    ['delete', null, { id: [7, undefined], title: ['x', undefined] }],
    ['update', null, { title: ['raw', 'x'] }],
    ['insert', null, { id: [undefined, 7], title: [undefined, 'raw'] }],
  ])
  expect(body.data.map(({ by }: { by: unknown }) => by)).toEqual([null, null, null])
})

test('keeps every digit', async () => {
  const price = '12345678901234567890.123456789'
  await create({ id: 1, title: 'A', price })
  await change('1', { price: '12345678901234567890.123456788' })
  const { text } = await historyOf('1')
  expect(text).toContain(`"before":${price},"after":12345678901234567890.123456788`)
})

test('leaves no version of a change that was rolled back', async () => {
  await create({ id: 1, title: 'A' })
  await expect(
    deps.db.transaction(async (tx) => {
      await tx.execute(`update entities.book set title = 'B'`)
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect((await change('1', { price: -1 })).status).toBe(400)
  expect(
    (
      await inBatch('POST', [
        { id: 2, title: 'x' },
        { id: 1, title: 'taken' },
      ])
    ).status,
  ).toBe(409)
  expect((await historyOf('1')).body.pagination.total).toBe(1)
  expect((await historyOf('2')).status).toBe(404)
})

test('needs the right to read, and an entity that may be read', async () => {
  await create({ id: 1, title: 'A' })
  expect((await historyOf('1', { as: await signedInAs(['EDITOR'], ['Book:update']) })).status).toBe(
    403,
  )
  expect((await historyOf('1', { as: await signedInAs(['VIEWER']) })).status).toBe(200)
  await define({ permissions: { read: false } })
  const { status, body } = await historyOf('1')
  expect([status, body.error]).toEqual([403, expect.stringContaining('closes to reading')])
})

test('names a record that is neither stored nor known', async () => {
  const { status, body } = await historyOf('99')
  expect([status, body.error]).toEqual([404, 'There is no Book with the id "99"'])
  expect((await historyOf('abc')).status).toBe(404)
  expect((await historyOf('1', { query: 'size=51' })).status).toBe(400)
})

test('leaves out the values of fields that are no longer served', async () => {
  await define({}, [{ name: 'secret', type: 'string' }])
  await create({ id: 1, title: 'A', secret: 'hidden value' })
  await change('1', { title: 'B' })
  await define()
  const { text, body } = await historyOf('1')
  expect(text).not.toContain('hidden value')
  expect(body.data[0].formerFields).toEqual(['secret'])
})

test('finds versions by composite keys, instants and long texts', async () => {
  for (const [name, pks] of [
    [
      'Pair',
      [
        { key: 'a', strategy: 'Fixed', type: 'string' },
        { key: 'b', strategy: 'Fixed', type: 'number' },
      ],
    ],
    ['Moment', [{ key: 'a', strategy: 'Fixed', type: 'string' }]],
  ] as const) {
    await define(
      { name, pks, auditable: false },
      name === 'Moment' ? [{ name: 'a', type: 'Date' }] : [],
    )
    const made = await create({ a: '2024-02-29T12:00:00Z', b: 1.5, title: 'A' }, { entity: name })
    const id = made.body.data[0].persistenceId
    await change(id, { title: 'B' }, { entity: name })
    expect((await historyOf(id, { entity: name })).body.pagination.total, name).toBe(2)
  }
})

test('knows a record by every spelling of its id', async () => {
  const pks = ['a', 'b'].map((key) => ({ key, strategy: 'Fixed', type: 'string' }))
  await define({ name: 'Pair', pks, auditable: false })
  await create({ a: 'x', b: 'y', title: 'A' }, { entity: 'Pair' })
  const id = Buffer.from('{ "b": "y", "a": "x" }').toString('base64url')
  expect((await historyOf(id, { entity: 'Pair' })).body.pagination.total).toBe(1)
})

test('follows new names of the entity, its key and its fields', async () => {
  await create({ id: 1, title: 'A', note: 'n' })
  await change('1', { title: 'B' })
  const properties = [
    { name: 'name', type: 'string', renamedFrom: 'title' },
    ...BOOK.schema.properties.slice(1),
  ]
  await installTestEntity(deps, {
    entity: {
      ...BOOK.entity,
      name: 'Volume',
      renamedFrom: 'Book',
      pks: [{ key: 'no', renamedFrom: 'id' }],
    },
    schema: { properties },
  })
  await change('1', { name: 'C' }, { entity: 'Volume' })
  const { body } = await historyOf('1', { entity: 'Volume' })
  expect(told(body.data)).toEqual([
    ['update', 'records.update', { name: ['B', 'C'] }],
    ['update', 'records.update', { name: ['A', 'B'] }],
    [
      'insert',
      'records.create',
      { no: [undefined, 1], name: [undefined, 'A'], note: [undefined, 'n'] },
    ],
  ])
})
