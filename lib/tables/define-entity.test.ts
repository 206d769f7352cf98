import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { entities, users } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import {
  defineTestEntity,
  defineTestSchema,
  tableColumns,
  tableIndexDefinitions,
} from '@/lib/testing/define'
import { freshDeps } from '@/lib/testing/deps'
import { insertTestRecords, installTestEntity } from '@/lib/testing/entity'

const deps = freshDeps()
const all = (table: string) =>
  rows<Record<string, unknown>>(
    deps.db,
    sql`select * from entities.${sql.identifier(table)} order by 1`,
  )

describe('the table of a new entity', () => {
  test('has a typed column for each property', async () => {
    const types = 'text tinyint smallint integer bigint number double decimal price boolean bit'
    const more = 'date Date datetime time json object array email'
    const names = `${types} ${more}`.split(' ')
    const properties = names.map((type, at) => ({ name: `${type}${at}`, type }))
    await installTestEntity(deps, {
      entity: { name: 'AllTypes', auditable: true },
      schema: { properties },
    })
    const instant = 'timestamp(3) with time zone'
    expect(Object.entries(await tableColumns(deps, 'all_types'))).toEqual([
      ['id', 'bigint!'],
      ['text0', 'text'],
      ['tinyint1', 'smallint'],
      ['smallint2', 'smallint'],
      ['integer3', 'bigint'],
      ['bigint4', 'bigint'],
      ['number5', 'double precision'],
      ['double6', 'double precision'],
      ['decimal7', 'numeric'],
      ['price8', 'numeric'],
      ['boolean9', 'boolean'],
      ['bit10', 'boolean'],
      ['date11', 'date'],
      ['Date12', instant],
      ['datetime13', instant],
      ['time14', 'time without time zone'],
      ['json15', 'jsonb'],
      ['object16', 'jsonb'],
      ['array17', 'jsonb'],
      ['email18', 'text'],
      ['CreatedAt', instant],
      ['CreatedBy', 'text'],
      ['LastUpdatedAt', instant],
      ['LastUpdatedBy', 'text'],
      ['$extra', 'jsonb'],
    ])
  })

  test('is in the registry, with its columns', async () => {
    await installTestEntity(deps, { entity: { name: 'City' }, schema: { properties: [] } })
    expect(await deps.db.select().from(entities)).toMatchObject([
      {
        name: 'City',
        pluginId: 'test',
        tableSchema: 'entities',
        tableName: 'city',
        columns: [
          { name: 'id', sqlType: 'bigint' },
          { name: '$extra', sqlType: 'jsonb' },
        ],
      },
    ])
  })

  test('has the indexes that its rules and definition ask for', async () => {
    const properties = [
      { name: 'a', type: 'string', required: true, indexed: true },
      { name: 'b', type: 'string', unique: true },
      { name: 'c', type: 'integer', indexed: true },
      { name: 'd', type: 'string', searchable: true },
      { name: 'e', type: 'array', indexed: true },
    ]
    const indexes = [{ fields: ['a', 'c'], unique: true }, { fields: ['c', 'id'] }]
    await installTestEntity(deps, { entity: { name: 'City', indexes }, schema: { properties } })
    expect(await tableColumns(deps, 'city')).toMatchObject({ a: 'text!', b: 'text' })
    expect(await tableIndexDefinitions(deps, 'city')).toEqual([
      'UNIQUE USING btree (a, c)',
      'UNIQUE USING btree (b)',
      'UNIQUE USING btree (id)',
      'USING btree (a COLLATE engine."natural", id)',
      'USING btree (a)',
      'USING btree (c, id)',
      'USING gin (d gin_trgm_ops)',
      'USING gin (e jsonb_path_ops)',
    ])
  })

  test('may be in another database schema, which is made', async () => {
    await installTestEntity(deps, { entity: { name: 'City', dbSchema: 'geo', dbTable: 'Cities' } })
    expect(await rows(deps.db, sql`select * from geo."Cities"`)).toEqual([])
  })

  test('takes names of 63 characters', async () => {
    const name = 'A'.repeat(63)
    const lower = 'a'.repeat(63)
    const properties = [
      { name, type: 'string', unique: true, indexed: true, searchable: true },
      { name: `${name.slice(1)}B`, type: 'string', unique: true, indexed: true, searchable: true },
    ]
    const entity = { name, dbTable: lower, pks: [{ key: lower.replace('a', 'k') }] }
    await installTestEntity(deps, { entity, schema: { properties } })
    expect(Object.keys(await tableColumns(deps, lower))).toHaveLength(4)
    expect(await tableIndexDefinitions(deps, lower)).toHaveLength(7)
  })

  test('has room for 1,000 properties', async () => {
    const properties = Array.from({ length: 1000 }, (_, at) => ({ name: `p${at}`, type: 'string' }))
    await installTestEntity(deps, { entity: { name: 'Wide' }, schema: { properties } }, [
      { p999: 'x' },
    ])
    expect(await all('wide')).toMatchObject([{ p999: 'x' }])
  })

  test('keeps hostile text in definitions as text', async () => {
    const hostile = `'; drop table engine.users; -- "\\ $1 $$ \${x}`
    const property = { name: 'a', type: 'string', enum: [hostile, 'b'], default: hostile }
    const schema = { label: hostile, properties: [{ ...property, label: hostile, required: true }] }
    await installTestEntity(deps, { entity: { name: 'City', description: hostile } }, [{ x: 1 }])
    await defineTestSchema(deps, { name: 'City', ...schema })
    expect(await all('city')).toMatchObject([{ a: hostile }])
    expect(await deps.db.$count(users)).toBe(0)
  })
})

describe('a key', () => {
  const keyed = (strategy: string, type: string, declared?: string) => ({
    entity: { name: 'City', pks: [{ key: 'k', strategy, type }] },
    ...(declared ? { schema: { properties: [{ name: 'k', type: declared }] } } : {}),
  })

  test.each<[string, string, string | undefined, string, unknown[]]>([
    ['AutoIncrement', 'number', undefined, 'bigint!', [1, 2]],
    ['AutoIncrement', 'string', undefined, 'text!', ['1', '2']],
    ['AutoIncrement', 'number', 'smallint', 'smallint!', [1, 2]],
    ['AutoIncrement', 'number', 'number', 'double precision!', [1, 2]],
    ['AutoIncrement', 'number', 'decimal', 'numeric!', [1, 2]],
    ['AutoIncrement', 'number', 'string', 'text!', ['1', '2']],
    ['UUID', 'string', undefined, 'text!', [expect.any(String), expect.any(String)]],
    ['UUID', 'string', 'uuid', 'text!', [expect.any(String), expect.any(String)]],
  ])('of %s and %s, declared as %s, is %s', async (strategy, type, declared, sqlType, keys) => {
    await installTestEntity(deps, keyed(strategy, type, declared), [{ a: 1 }, { a: 2 }])
    expect((await tableColumns(deps, 'city')).k).toBe(sqlType)
    const found = await rows<{ k: unknown }>(
      deps.db,
      sql`select to_jsonb(k) as k from entities.city order by "$extra" ->> 'a'`,
    )
    expect(found.map(({ k }) => k)).toEqual(keys)
    const sequence = sql`select pg_get_serial_sequence('entities.city', 'k') is null as none`
    expect(await rows(deps.db, sequence)).toEqual([{ none: strategy === 'UUID' }])
  })

  test.each([
    ['string', 'text!'],
    ['number', 'numeric!'],
  ])('of Fixed and %s is %s and has to be given', async (type, sqlType) => {
    const entity = await installTestEntity(deps, keyed('Fixed', type))
    expect((await tableColumns(deps, 'city')).k).toBe(sqlType)
    expect(entity.properties[0]?.rules.required).toBe(true)
    await expect(insertTestRecords(deps, entity, [{ a: 1 }])).rejects.toThrow()
  })

  test('given in a record is kept, whatever the strategy', async () => {
    await installTestEntity(deps, keyed('AutoIncrement', 'string'), [{ k: 'abc' }])
    expect(await all('city')).toMatchObject([{ k: 'abc' }])
  })

  test('may have several parts, the first ones in the table', async () => {
    const pks = [
      { key: 'country', strategy: 'Fixed' },
      { key: 'no', strategy: 'AutoIncrement' },
    ]
    const entity = await installTestEntity(deps, { entity: { name: 'City', pks } }, [
      { country: 'DE' },
      { country: 'FR' },
    ])
    expect(entity.keys).toEqual(['country', 'no'])
    expect(await tableColumns(deps, 'city')).toEqual({
      country: 'text!',
      no: 'bigint!',
      $extra: 'jsonb',
    })
    expect(await tableIndexDefinitions(deps, 'city')).toContain('UNIQUE USING btree (country, no)')
  })

  test.each([
    ['AutoIncrement', 'date', '/pks/0/strategy'],
    ['AutoIncrement', 'json', '/pks/0/strategy'],
    ['UUID', 'integer', '/pks/0/strategy'],
    ['Fixed', 'object', '/pks/0/strategy'],
  ])('of %s cannot be declared as %s', async (strategy, declared, pointer) => {
    await expect(
      installTestEntity(deps, keyed(strategy, 'string', declared)),
    ).rejects.toMatchObject({
      verdict: 'Invalid definition',
      details: [{ pointer }],
    })
  })

  test('clashes with a property that is spelt in another case', async () => {
    const schema = { properties: [{ name: 'ID', type: 'integer' }] }
    await expect(
      installTestEntity(deps, { entity: { name: 'City' }, schema }),
    ).rejects.toMatchObject({
      details: [{ pointer: '/pks/0/key' }],
    })
  })
})

describe('an entity is refused', () => {
  const refusal = (json: object) => defineTestEntity(deps, json).then(String, (error) => error)

  test('when the schema it names is not there', async () => {
    expect(await refusal({ name: 'City', engineSchema: 'Place' })).toMatchObject({
      verdict: 'Missing dependency',
      details: [{ pointer: '/engineSchema', value: 'Place' }],
    })
  })

  test.each(['table', 'view', 'sequence', 'index', 'materialized view'])(
    'when its table is a %s that the engine did not make',
    async (kind) => {
      const statements: Record<string, string> = {
        table: 'create table entities.city (secret text)',
        view: 'create view entities.city as select 1 as x',
        sequence: 'create sequence entities.city',
        index: 'create table entities.other (x int); create index city on entities.other (x)',
        'materialized view': 'create materialized view entities.city as select 1 as x',
      }
      for (const statement of (statements[kind] ?? '').split(';'))
        await deps.db.execute(sql.raw(statement))
      expect(await refusal({ name: 'City' })).toMatchObject({
        verdict: 'Invalid definition',
        details: [{ pointer: '/dbTable', value: 'city' }],
      })
      await deps.db.execute(sql.raw(`drop ${kind} entities.city cascade`))
    },
  )

  test.each([
    ['the same table', { name: 'Town', dbTable: 'city' }, '/dbTable'],
    ['a table that differs in case', { name: 'Town', dbTable: 'CITY' }, '/dbTable'],
    ['a name that differs in case', { name: 'CITY', dbTable: 'town' }, '/name'],
  ])('when another entity has %s', async (_, json, pointer) => {
    await defineTestEntity(deps, { name: 'City' })
    expect(await refusal(json)).toMatchObject({
      verdict: 'Invalid definition',
      details: [{ pointer }],
    })
  })

  test('when it indexes a field that is not there, or has no order', async () => {
    const properties = [
      { name: 'name', type: 'string' },
      { name: 'tags', type: 'array' },
    ]
    await defineTestSchema(deps, { name: 'City', properties })
    expect(await refusal({ name: 'City', indexes: [{ fields: ['nmae', 'tags'] }] })).toMatchObject({
      details: [
        { pointer: '/indexes/0/fields/0', message: expect.stringContaining('did you mean "name"') },
        { pointer: '/indexes/0/fields/1' },
      ],
    })
  })

  test('when it is auditable and its schema uses those names for something else', async () => {
    await defineTestSchema(deps, {
      name: 'City',
      properties: [{ name: 'createdat', type: 'string' }],
    })
    expect(await refusal({ name: 'City', auditable: true })).toMatchObject({
      details: [{ pointer: '/auditable' }],
    })
  })

  test('and leaves nothing behind', async () => {
    await refusal({ name: 'City', engineSchema: 'Place', dbSchema: 'geo' })
    expect(await deps.db.select().from(entities)).toEqual([])
  })
})

describe('an entity that is installed again', () => {
  test('identically is unchanged, and stays its owner’s', async () => {
    const json = { name: 'City', indexes: [{ fields: ['id'] }], description: 'x' }
    expect(await defineTestEntity(deps, json, 'a')).toMatchObject({ status: 'created', notes: [] })
    expect(await defineTestEntity(deps, json, 'a')).toEqual({
      status: 'unchanged',
      steps: [],
      notes: [],
    })
    expect(await defineTestEntity(deps, json, 'b')).toEqual({
      status: 'unchanged',
      steps: [],
      notes: ['City came from the plugin a'],
    })
    expect(await deps.db.select().from(entities)).toMatchObject([{ pluginId: 'a' }])
  })

  test('from another plugin is changed and changes hands, with a note', async () => {
    await defineTestEntity(deps, { name: 'City' }, 'a')
    const outcome = await defineTestEntity(deps, { name: 'City', auditable: true }, 'b')
    expect(outcome).toMatchObject({ status: 'updated', notes: ['City came from the plugin a'] })
    expect(await deps.db.select().from(entities)).toMatchObject([{ pluginId: 'b' }])
    expect(Object.keys(await tableColumns(deps, 'city'))).toContain('CreatedAt')
  })

  test('with another key or table is recreated while it is empty', async () => {
    await defineTestEntity(deps, { name: 'City' })
    const other = { name: 'City', pks: [{ key: 'code', strategy: 'Fixed' }], dbTable: 'towns' }
    const { steps } = await defineTestEntity(deps, other)
    expect(steps.map(({ type }) => type)).toContain('drop-table')
    expect(await tableColumns(deps, 'towns')).toEqual({ code: 'text!', $extra: 'jsonb' })
    await expect(tableColumns(deps, 'city')).rejects.toThrow()
  })

  test.each([
    ['key', { pks: [{ key: 'code', strategy: 'Fixed' }] }],
    ['table', { dbTable: 'towns' }],
    ['schema', { dbSchema: 'geo' }],
  ])('with another %s is refused when it has records', async (_, more) => {
    await installTestEntity(deps, { entity: { name: 'City' } }, [{ a: 1 }])
    await expect(defineTestEntity(deps, { name: 'City', ...more })).rejects.toMatchObject({
      verdict: 'Incompatible change',
      details: [{ message: expect.stringMatching(/^1 record is stored: it is too late to /) }],
    })
    expect(await all('city')).toHaveLength(1)
    expect(await deps.db.select().from(entities)).toMatchObject([{ tableName: 'city' }])
  })
})

test('two concurrent definitions of one entity leave one table and one row', async () => {
  const outcomes = await Promise.allSettled([
    defineTestEntity(deps, { name: 'City' }, 'a'),
    defineTestEntity(deps, { name: 'City' }, 'b'),
    defineTestEntity(deps, { name: 'City' }, 'c'),
    defineTestEntity(deps, { name: 'Town', dbTable: 'city' }, 'd'),
  ])
  const statuses = outcomes.map((one) =>
    one.status === 'fulfilled' ? one.value.status : one.status,
  )
  expect([
    ['created', 'rejected', 'unchanged', 'unchanged'],
    // `Town` was first, so that every `City` lost.
    ['created', 'rejected', 'rejected', 'rejected'],
  ]).toContainEqual(statuses.sort())
  expect(await deps.db.select().from(entities)).toHaveLength(1)
})
