import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { POST as SEARCH } from '@/app/api/entities/[entityName]/search/route'
import { rows } from '@/lib/db/rows'
import { pluginFiles } from '@/lib/testing/archive'
import { tableColumns, tableIndexDefinitions } from '@/lib/testing/define'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { type Files, install, type Log, verdicts } from '../../testing/plugin-api'

const deps = freshDeps()

const SCHEMA = 'EngineSchemas/Thing.json'
const ENTITY = 'EngineEntities/Thing.json'

type Version = { properties?: object[]; schema?: object; entity?: object; records?: object[] }

/** A version of a plugin with one entity. */
function version({ properties, schema, entity, records }: Version): Files {
  const pks = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
  return pluginFiles({
    EngineEntities: {
      files: { 'Thing.json': { name: 'Thing', pks, insertDuplicate: 'Upsert', ...entity } },
    },
    ...(properties
      ? { EngineSchemas: { files: { 'Thing.json': { name: 'Thing', properties, ...schema } } } }
      : {}),
    ...(records ? { Thing: { files: { 'data.json': records } } } : {}),
  })
}

/** Installs a version that must succeed in whole. */
async function installed(files: Files): Promise<Log[]> {
  const { body, logs } = await install(deps, files)
  expect({ body, failed: logs.filter(({ status }) => status === 'failed') }).toMatchObject({
    body: { data: { failedCount: 0 } },
    failed: [],
  })
  return logs
}

const logOf = (logs: readonly Log[], path: string) => logs.find((log) => log.path === path)

async function search(body: object = {}) {
  const response = await call(deps, SEARCH, {
    method: 'POST',
    path: '/api/entities/Thing/search',
    params: { entityName: 'Thing' },
    body: { sort: [{ field: 'id', direction: 'asc' }], ...body },
    as: 'ADMIN',
  })
  return response.body.data?.map(
    ({ persistenceId: _, ...record }: Record<string, unknown>) => record,
  )
}

const text = (name: string, meta: object = {}) => ({ name, type: 'string', meta })
const integer = (name: string, meta: object = {}) => ({ name, type: 'integer', meta })

describe('a new version', () => {
  test('adds columns, indexes and constraints, and says so', async () => {
    await installed(version({ properties: [text('name')], records: [{ id: 1, name: 'a' }] }))
    const logs = await installed(
      version({
        properties: [
          text('name', { unique: true }),
          integer('size', { indexed: true, default: 7 }),
          text('note'),
        ],
        entity: { indexes: [{ fields: ['name', 'size'] }] },
        records: [{ id: 2, name: 'b', size: 1 }],
      }),
    )
    expect(verdicts(logs)).toEqual({
      [SCHEMA]: 'updated',
      [ENTITY]: 'updated',
      'Thing/data.json': 'created',
    })
    expect(logOf(logs, SCHEMA)?.changes.join('\n')).toMatch(/size/)
    expect(await tableColumns(deps, 'thing')).toMatchObject({ size: 'bigint', note: 'text' })
    const indexes = (await tableIndexDefinitions(deps, 'thing')).join('\n')
    expect(indexes).toMatch(/UNIQUE[^\n]*name/)
    expect(indexes).toMatch(/size/)
    expect(await search()).toEqual([
      { id: 1, name: 'a', size: 7, note: null },
      { id: 2, name: 'b', size: 1, note: null },
    ])
    const second = await install(
      deps,
      version({ properties: [text('name', { unique: true })], records: [{ id: 3, name: 'b' }] }),
    )
    expect(logOf(second.logs, 'Thing/data.json')).toMatchObject({
      error: 'Conflict Issue!',
      details: [{ index: 0 }],
    })
  })

  test.each<[string, object, unknown, object, unknown, string]>([
    ['an integer to a decimal', integer('v'), 12, { name: 'v', type: 'decimal' }, 12, 'numeric'],
    [
      'a smallint to a bigint',
      { name: 'v', type: 'smallint' },
      7,
      { name: 'v', type: 'bigint' },
      7,
      'bigint',
    ],
    ['a number to a text', integer('v'), 12, text('v'), '12', 'text'],
    [
      'a date to a datetime',
      { name: 'v', type: 'date' },
      '2024-02-29',
      { name: 'v', type: 'datetime' },
      '2024-02-29T00:00:00.000Z',
      'timestamp(3) with time zone',
    ],
    [
      'a longer text',
      text('v', { maxLength: 3 }),
      'abc',
      text('v', { maxLength: 30 }),
      'abc',
      'text',
    ],
    ['a boolean to a text', { name: 'v', type: 'boolean' }, true, text('v'), 'true', 'text'],
    ['a text to JSON', text('v'), 'abc', { name: 'v', type: 'json' }, 'abc', 'jsonb'],
  ])('widens %s and keeps what is stored', async (_, before, value, after, expected, column) => {
    await installed(version({ properties: [before], records: [{ id: 1, v: value }] }))
    const logs = await installed(version({ properties: [after] }))
    expect(logOf(logs, SCHEMA)?.status).toBe('updated')
    expect(await search()).toEqual([{ id: 1, v: expected }])
    expect((await tableColumns(deps, 'thing')).v).toContain(column)
  })

  test('that drops a property keeps its column and data, and serves it no longer', async () => {
    await installed(
      version({ properties: [text('a'), text('b')], records: [{ id: 1, a: 'x', b: 'y' }] }),
    )
    await installed(version({ properties: [text('a')] }))
    expect(await search()).toEqual([{ id: 1, a: 'x' }])
    expect(await rows(deps.db, sql`select b from entities.thing`)).toEqual([{ b: 'y' }])
    const unknown = await call(deps, SEARCH, {
      method: 'POST',
      path: '/api/entities/Thing/search',
      params: { entityName: 'Thing' },
      body: { query: [{ field: 'b', operator: 'eq', value: 'y' }] },
      as: 'ADMIN',
    })
    expect(unknown).toMatchObject({ status: 400, body: { error: expect.stringContaining('b') } })
    await installed(version({ properties: [text('a'), text('b')] }))
    expect(await search()).toEqual([{ id: 1, a: 'x', b: 'y' }])
  })

  test.each<[string, object, unknown, object]>([
    ['a narrower number', text('v'), 'twelve', integer('v')],
    ['a shorter text', text('v'), 'abcdef', text('v', { maxLength: 3 })],
    ['a lower maximum', integer('v'), 12, integer('v', { max: 10 })],
    ['a smaller list of values', text('v'), 'c', text('v', { enum: ['a', 'b'] })],
    ['a pattern', text('v'), 'abc', text('v', { pattern: '^[0-9]+$' })],
    ['a required value', text('v'), null, text('v', { required: true })],
    ['a unique value', text('v'), 'same', text('v', { unique: true })],
  ])(
    'that asks for %s which a stored one contradicts fails that file alone',
    async (_, before, value, after) => {
      const records = [
        { id: 1, v: value },
        { id: 2, v: value },
      ]
      await installed(version({ properties: [before], records }))
      const columns = await tableColumns(deps, 'thing')
      const stored = await search()
      const { status, body, logs } = await install(
        deps,
        version({
          properties: [after, integer('more')],
          records: [{ id: 3, v: null }],
          entity: { description: 'new' },
        }),
      )
      expect(status).toBe(200)
      expect(body.message).toContain('in part')
      expect(verdicts(logs)).toEqual({
        [SCHEMA]: 'Incompatible change',
        [ENTITY]: 'updated',
        'Thing/data.json': 'created',
      })
      expect(logOf(logs, SCHEMA)?.details[0]).toMatchObject({
        key: expect.anything(),
        message: expect.any(String),
      })
      expect(await tableColumns(deps, 'thing')).toEqual(columns)
      expect((await search()).slice(0, 2)).toEqual(stored)
    },
  )

  test('narrows where nothing stored contradicts it', async () => {
    await installed(version({ properties: [text('v')], records: [{ id: 1, v: '12' }] }))
    await installed(version({ properties: [integer('v', { required: true, max: 12 })] }))
    expect(await search()).toEqual([{ id: 1, v: 12 }])
    const { logs } = await install(deps, version({ records: [{ id: 2, v: 13 }] }))
    expect(logOf(logs, 'Thing/data.json')).toMatchObject({
      error: 'Invalid record',
      details: [{ index: 0, pointer: '/v' }],
    })
  })

  test('declares what was undeclared, and takes its values along', async () => {
    await installed(version({ records: [{ id: 1, v: 5, other: 'x' }, { id: 2, v: 6 }, { id: 3 }] }))
    expect(await search({ query: [{ field: 'v', operator: 'eq', value: 6 }] })).toHaveLength(1)
    await installed(version({ properties: [integer('v', { indexed: true })] }))
    expect(await tableColumns(deps, 'thing')).toMatchObject({ v: 'bigint' })
    expect(await search()).toMatchObject([
      { id: 1, v: 5, other: 'x' },
      { id: 2, v: 6 },
      { id: 3, v: null },
    ])
    expect(await search({ query: [{ field: 'v', operator: 'gte', value: 6 }] })).toHaveLength(1)
  })

  test('declares nothing that undeclared values contradict', async () => {
    await installed(version({ properties: [text('a')], records: [{ id: 1, v: 'five' }] }))
    const { logs } = await install(deps, version({ properties: [text('a'), integer('v')] }))
    expect(verdicts(logs)[SCHEMA]).toBe('Incompatible change')
    expect(await search()).toEqual([{ id: 1, a: null, v: 'five' }])
  })

  test('takes an undeclared value that spells another type, as it takes a declared text', async () => {
    const spelt = { n: '3', x: '1.5', b: 'true' }
    await installed(version({ records: [{ id: 1, ...spelt }] }))
    const of = (name: string, type: string) => ({ name, type })
    const properties = [of('n', 'integer'), of('x', 'number'), of('b', 'boolean')]
    await installed(version({ properties }))
    expect(await search()).toEqual([{ id: 1, n: 3, x: 1.5, b: true }])
  })

  test('that drops a property says how many values are served no longer', async () => {
    const records = Array.from({ length: 5 }, (_, id) => ({ id, a: 'x', b: id < 3 ? 'y' : null }))
    await installed(version({ properties: [text('a'), text('b'), text('c')], records }))
    const logs = await installed(version({ properties: [text('a')] }))
    expect(logOf(logs, SCHEMA)?.changes).toEqual([
      'Stop serving b of entities.thing; its 3 values are kept',
      'Stop serving c of entities.thing; it has no values',
    ])
  })

  test.each<[string, object, object, string]>([
    ['a rule', integer('v'), integer('v', { max: 0 }), 'v must be at most 0'],
    ['a pattern', text('v'), text('v', { pattern: '^x$' }), 'v must match ^x$'],
    ['a type', text('v'), { name: 'v', type: 'boolean' }, 'v cannot become boolean'],
  ])(
    'that contradicts many values by %s reports the first 100 keys and the total',
    async (_, before, after, message) => {
      const isNumber = 'type' in before && before.type === 'integer'
      const records = Array.from({ length: 167 }, (_, id) => ({
        id,
        v: isNumber ? id + 1 : `t${id % 7}`,
      }))
      await installed(version({ properties: [before], records }))
      const { logs } = await install(deps, version({ properties: [after] }))
      const log = logOf(logs, SCHEMA)
      expect(log).toMatchObject({ error: 'Incompatible change', detailCount: 167 })
      expect(log?.details).toHaveLength(100)
      expect(log?.details[0]).toMatchObject({ index: 0, key: 0, message })
      expect(new Set(log?.details.map(({ key }) => key)).size).toBe(100)
    },
  )

  test('that needs another key reports in one line how many records forbid it', async () => {
    const records = Array.from({ length: 167 }, (_, id) => ({ id }))
    await installed(version({ properties: [text('code')], records }))
    const pks = [{ key: 'code', strategy: 'Fixed', type: 'string' }]
    const { logs } = await install(deps, version({ entity: { pks } }))
    expect(logOf(logs, ENTITY)).toMatchObject({
      error: 'Incompatible change',
      detailCount: 1,
      details: [
        {
          message:
            '167 records are stored: it is too late to change the primary key from id to code',
        },
      ],
    })
  })

  test('that requires what may be empty finds empty texts of a format', async () => {
    const phone = (meta: object) => ({ name: 'v', type: 'phone', meta })
    await installed(version({ properties: [phone({})], records: [{ id: 1, v: '' }] }))
    await installed(version({ properties: [text('v')] }))
    await installed(version({ properties: [phone({})] }))
    const { logs } = await install(deps, version({ properties: [phone({ required: true })] }))
    expect(logOf(logs, SCHEMA)).toMatchObject({
      error: 'Incompatible change',
      details: [{ key: 1, value: '', message: 'v must be a phone number' }],
    })
  })

  test('may forbid undeclared fields only where there are none', async () => {
    await installed(version({ properties: [text('a')], records: [{ id: 1, extra: 1 }] }))
    const closed = { properties: [text('a')], schema: { additionalProperties: false } }
    expect(verdicts((await install(deps, version(closed))).logs)[SCHEMA]).toBe(
      'Incompatible change',
    )
    await deps.db.execute(sql`delete from entities.thing`)
    await installed(version(closed))
    const { logs } = await install(deps, version({ records: [{ id: 1, extra: 1 }] }))
    expect(logOf(logs, 'Thing/data.json')).toMatchObject({ error: 'Invalid record' })
  })

  test('with another key is refused while there are records, and changes nothing', async () => {
    await installed(version({ properties: [text('code')], records: [{ id: 1, code: 'a' }] }))
    const pks = [{ key: 'code', strategy: 'Fixed', type: 'string' }]
    const { logs } = await install(deps, version({ entity: { pks } }))
    expect(verdicts(logs)[ENTITY]).toBe('Incompatible change')
    expect(await search()).toEqual([{ id: 1, code: 'a' }])
  })

  test('with another key and indexes recreates an empty table', async () => {
    const pks = ['id', 'code'].map((key) => ({ key, strategy: 'Fixed', type: 'string' }))
    const properties = [text('name', { required: true, indexed: true })]
    await installed(version({ properties, entity: { pks } }))
    await installed(version({ properties, records: [{ id: 1, name: 'a' }] }))
    expect(await search()).toEqual([{ id: 1, name: 'a' }])
  })

  test('in atomic mode changes all or nothing', async () => {
    await installed(version({ properties: [text('v')], records: [{ id: 1, v: 'x' }] }))
    const before = await tableColumns(deps, 'thing')
    const { body, logs } = await install(
      deps,
      version({ properties: [text('v'), text('w')], records: [{ id: 2, w: 5 }] }),
      { query: '?mode=atomic' },
    )
    expect(body.data).toMatchObject({ successCount: 0, failedCount: 3 })
    expect(verdicts(logs)).toMatchObject({
      [SCHEMA]: 'Rolled back',
      'Thing/data.json': 'Invalid record',
    })
    expect(await tableColumns(deps, 'thing')).toEqual(before)
  })
})

describe('tables that the engine did not make', () => {
  test.each<[string, string, object]>([
    ['in the schema of entities', 'entities', { dbTable: 'foreign_one' }],
    ['elsewhere', 'public', { dbTable: 'foreign_one', dbSchema: 'public' }],
  ])('%s are never touched', async (_, schema, table) => {
    const name = sql`${sql.identifier(schema)}.foreign_one`
    await deps.db.execute(sql`create table ${name} (id int primary key, secret text)`)
    await deps.db.execute(sql`insert into ${name} values (1, 'mine')`)
    const { logs } = await install(
      deps,
      version({ entity: table, records: [{ id: 1, secret: 'theirs' }] }),
    )
    expect(verdicts(logs)).toEqual({
      [ENTITY]: 'Invalid definition',
      'Thing/data.json': 'Missing dependency',
    })
    expect(await rows(deps.db, sql`select * from ${name}`)).toEqual([{ id: 1, secret: 'mine' }])
    await deps.db.execute(sql`drop table ${name}`)
  })

  test.each([
    { dbTable: 'users', dbSchema: 'engine' },
    { dbTable: 'pg_class', dbSchema: 'pg_catalog' },
    { dbTable: 'tables', dbSchema: 'information_schema' },
    { dbTable: 't', dbSchema: 'engine_migrations' },
    { dbTable: 't', dbSchema: 'pg_mine' },
    { dbTable: 'users', dbSchema: 'ENGINE' },
  ])('of the engine and the database are out of reach: %o', async (table) => {
    const { logs } = await install(deps, version({ entity: table, records: [{ id: 1 }] }))
    expect(verdicts(logs)[ENTITY]).toBe('Invalid definition')
    expect(await rows(deps.db, sql`select 1 from engine.entities`)).toEqual([])
  })
})
