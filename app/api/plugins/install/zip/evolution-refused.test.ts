import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import { tableColumns } from '@/lib/testing/define'
import { install, verdicts } from '../../testing/plugin-api'
import {
  deps,
  ENTITY,
  installed,
  integer,
  logOf,
  SCHEMA,
  search,
  text,
  version,
} from '../../testing/versions'

describe('a new version', () => {
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
