import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { one, rows } from '@/lib/db/rows'
import { entities, schemas } from '@/lib/db/schema'
import { loadEntities } from '@/lib/registry/registry'
import {
  defineTestEntity,
  defineTestSchema,
  tableColumns,
  tableIndexDefinitions,
} from '@/lib/testing/define'
import { freshDeps } from '@/lib/testing/deps'
import { insertTestRecords, installTestEntity } from '@/lib/testing/entity'

const deps = freshDeps()

/** Installs `Thing` with a property `a` as given (null: free-form) and records with these values. */
const install = (a: object | null, values: unknown[]) =>
  installTestEntity(
    deps,
    { entity: { name: 'Thing' }, ...(a ? { schema: schemaOf(a) } : {}) },
    values.map((value) => (value === undefined ? {} : { a: value })),
  )

const schemaOf = (a: object | null, more: object = {}) => ({
  name: 'Thing',
  properties: a ? [{ name: 'a', ...a }] : [],
  ...more,
})
const change = (a: object | null, more?: object) => defineTestSchema(deps, schemaOf(a, more))

const current = async () => one(await loadEntities(deps.db))

/** The values of `a` in order, as JSON. */
const values = async () => {
  const query = sql`select to_jsonb(a) as a from entities.thing order by id`
  return (await rows<{ a: unknown }>(deps.db, query)).map(({ a }) => a)
}
const extras = async () => {
  const query = sql`select "$extra" as x from entities.thing order by id`
  return (await rows<{ x: unknown }>(deps.db, query)).map(({ x }) => x)
}

describe('a schema that is installed again', () => {
  test('identically is unchanged', async () => {
    const json = schemaOf({ type: 'string', enum: ['x'], default: 'x' })
    expect(await defineTestSchema(deps, json, 'a')).toMatchObject({ status: 'created', steps: [] })
    const again = await defineTestSchema(deps, json, 'b')
    expect(again).toEqual({
      status: 'unchanged',
      steps: [],
      notes: ['Thing came from the plugin a'],
    })
    expect(await deps.db.select().from(schemas)).toMatchObject([{ pluginId: 'a' }])
  })

  test('in another form that says the same is unchanged', async () => {
    await change({ type: 'string', required: true, maxLength: 5 })
    const properties = { a: { type: 'string', maxLength: 5 } }
    const outcome = await defineTestSchema(deps, { name: 'Thing', required: ['a'], properties })
    expect(outcome.status).toBe('unchanged')
  })

  test('with a name in another case is refused', async () => {
    await change({ type: 'string' })
    await expect(defineTestSchema(deps, { name: 'THING', properties: [] })).rejects.toMatchObject({
      verdict: 'Invalid definition',
      details: [{ pointer: '/name' }],
    })
  })

  test('changes every entity that uses it, and no other', async () => {
    await defineTestSchema(deps, { name: 'Place', properties: [] })
    await defineTestEntity(deps, { name: 'City', engineSchema: 'Place' })
    await defineTestEntity(deps, { name: 'Town', engineSchema: 'Place' })
    await defineTestEntity(deps, { name: 'Road' })
    const properties = [{ name: 'a', type: 'string' }]
    const outcome = await defineTestSchema(deps, { name: 'Place', properties })
    expect(outcome.status).toBe('updated')
    expect(await tableColumns(deps, 'city')).toHaveProperty('a')
    expect(await tableColumns(deps, 'town')).toHaveProperty('a')
    expect(await tableColumns(deps, 'road')).not.toHaveProperty('a')
  })

  test('that no entity can use any more is refused, and changes nothing', async () => {
    await install({ type: 'string' }, [])
    const properties = [{ name: 'id', type: 'json' }]
    await expect(defineTestSchema(deps, { name: 'Thing', properties })).rejects.toMatchObject({
      verdict: 'Invalid definition',
      details: [{ message: expect.stringContaining('Entity Thing') }],
    })
    expect(await tableColumns(deps, 'thing')).toEqual({ id: 'bigint!', a: 'text', $extra: 'jsonb' })
  })

  test('without a field that an index needs drops the index, and says so', async () => {
    await change({ type: 'string' })
    await defineTestEntity(deps, { name: 'Thing', indexes: [{ fields: ['a', 'id'] }] })
    const { notes } = await change(null)
    expect(notes).toEqual(['An index of Thing is gone: There is no property "a"'])
    expect(await tableIndexDefinitions(deps, 'thing')).toEqual(['UNIQUE USING btree (id)'])
    await change({ type: 'string' })
    expect(await tableIndexDefinitions(deps, 'thing')).toContain('USING btree (a, id)')
  })
})

describe('stored values follow a new type', () => {
  test.each<[string, object, unknown[], object, unknown[]]>([
    ['wider integers', { type: 'smallint' }, [1, null], { type: 'integer' }, [1, null]],
    ['decimals', { type: 'integer' }, [1], { type: 'decimal' }, [1]],
    ['doubles', { type: 'integer' }, [2 ** 53 - 1], { type: 'number' }, [2 ** 53 - 1]],
    ['decimals, digit by digit', { type: 'number' }, [0.1, 1e-7], { type: 'decimal' }, [0.1, 1e-7]],
    ['text', { type: 'number' }, [1.5, null], { type: 'string' }, ['1.5', null]],
    ['text', { type: 'boolean' }, [true], { type: 'string' }, ['true']],
    ['text', { type: 'date' }, ['2024-12-31'], { type: 'string' }, ['2024-12-31']],
    [
      'text as records show it',
      { type: 'datetime' },
      ['2024-12-31T12:00:00+02:00'],
      { type: 'string' },
      ['2024-12-31T10:00:00.000Z'],
    ],
    [
      'instants at midnight',
      { type: 'date' },
      ['2024-12-31'],
      { type: 'datetime' },
      ['2024-12-31T00:00:00+00:00'],
    ],
    ['JSON', { type: 'string' }, ['x', null], { type: 'json' }, ['x', null]],
    ['JSON', { type: 'integer' }, [5], { type: 'json' }, [5]],
    [
      'smaller integers, where they fit',
      { type: 'integer' },
      [5, null],
      { type: 'smallint' },
      [5, null],
    ],
    ['integers, where they are whole', { type: 'decimal' }, [5], { type: 'integer' }, [5]],
    [
      'numbers, where they spell them',
      { type: 'string' },
      ['-1.5', null],
      { type: 'number' },
      [-1.5, null],
    ],
    [
      'integers, where they spell them',
      { type: 'string' },
      ['12', ' 7'],
      { type: 'integer' },
      [12, 7],
    ],
    ['booleans, where they spell them', { type: 'string' }, ['true'], { type: 'boolean' }, [true]],
    [
      'dates, where they spell them',
      { type: 'string' },
      ['2024-02-29'],
      { type: 'date' },
      ['2024-02-29'],
    ],
    [
      'instants, where they spell them',
      { type: 'string' },
      ['2024-02-29', '2024-02-29T10:00Z'],
      { type: 'datetime' },
      ['2024-02-29T00:00:00+00:00', '2024-02-29T10:00:00+00:00'],
    ],
    ['times, where they spell them', { type: 'string' }, ['23:59'], { type: 'time' }, ['23:59:00']],
    [
      'dates, where no time is lost',
      { type: 'datetime' },
      ['2024-12-31T00:00:00Z'],
      { type: 'date' },
      ['2024-12-31'],
    ],
    ['lists, where they are', { type: 'json' }, [[1], null], { type: 'array' }, [[1], null]],
    ['text, where it is', { type: 'json' }, ['x', null], { type: 'string' }, ['x', null]],
    ['anything, where there is nothing', { type: 'boolean' }, [null], { type: 'date' }, [null]],
  ])('to %s', async (_, before, stored, after, expected) => {
    await install(before, stored)
    expect((await change(after)).status).toBe('updated')
    expect(await values()).toEqual(expected)
  })

  test.each<[string, object, unknown[], object]>([
    ['integers too large', { type: 'integer' }, [40_000], { type: 'smallint' }],
    ['integers beyond 2^53', { type: 'bigint' }, ['9007199254740993'], { type: 'number' }],
    ['bigints beyond 2^53', { type: 'bigint' }, ['9007199254740993'], { type: 'integer' }],
    [
      'decimals that are equal as doubles',
      { type: 'decimal' },
      ['0.10000000000000000001'],
      { type: 'number' },
    ],
    ['fractions', { type: 'number' }, [1.5], { type: 'integer' }],
    ['words', { type: 'string' }, ['x'], { type: 'number' }],
    ['words with digits', { type: 'string' }, ['1e999'], { type: 'number' }],
    [
      'integers with too many digits',
      { type: 'string' },
      ['99999999999999999999'],
      { type: 'bigint' },
    ],
    ['days that no month has', { type: 'string' }, ['2023-02-29'], { type: 'date' }],
    ['days that no month has', { type: 'string' }, ['2023-04-31T10:00Z'], { type: 'datetime' }],
    ['hours that no day has', { type: 'string' }, ['24:00'], { type: 'time' }],
    ['times of day', { type: 'datetime' }, ['2024-12-31T12:00:00Z'], { type: 'date' }],
    ['booleans', { type: 'boolean' }, [true], { type: 'integer' }],
    ['numbers', { type: 'integer' }, [1], { type: 'boolean' }],
    ['text', { type: 'string' }, ['x'], { type: 'array' }],
    ['JSON that is no text', { type: 'json' }, [1], { type: 'string' }],
    ['JSON that is no list', { type: 'json' }, [{}], { type: 'array' }],
    ['lists', { type: 'array' }, [[]], { type: 'object' }],
  ])('but not from %s', async (_, before, stored, after) => {
    await install(before, [null, ...stored])
    const columns = await tableColumns(deps, 'thing')
    const kept = await values()
    await expect(change(after)).rejects.toMatchObject({
      verdict: 'Incompatible change',
      details: [{ key: 2, value: expect.anything() }],
    })
    expect(await tableColumns(deps, 'thing')).toEqual(columns)
    expect(await values()).toEqual(kept)
    expect((await current()).properties[1]).toMatchObject(before)
  })
})

describe('stored values are held to a new rule', () => {
  test.each<[string, object, unknown[], unknown, object]>([
    ['required', { type: 'string' }, ['x'], null, { required: true }],
    ['min', { type: 'number' }, [2, null], 1.5, { min: 2 }],
    ['max', { type: 'integer' }, [2, null], 3, { max: 2 }],
    ['minLength', { type: 'string' }, ['ab', null], 'a', { minLength: 2 }],
    ['maxLength in characters', { type: 'string' }, ['😀😀', null], 'abc', { maxLength: 2 }],
    ['pattern', { type: 'string' }, ['ab', null], 'b', { pattern: '^a' }],
    ['enum of text', { type: 'string' }, ['a', null], 'A', { enum: ['a', 'b'] }],
    ['enum of numbers', { type: 'decimal' }, [1.5, null], 1, { enum: [1.5] }],
    [
      'enum of dates',
      { type: 'date' },
      ['2024-01-01', null],
      '2024-01-02',
      { enum: ['2024-01-01'] },
    ],
    [
      'enum of instants',
      { type: 'datetime' },
      ['2024-01-01T00:00:00Z'],
      '2024-01-02T00:00:00Z',
      { enum: ['2024-01-01T01:00:00+01:00'] },
    ],
    ['enum of JSON', { type: 'json' }, [{ a: 1, b: 2 }, null], {}, { enum: [{ b: 2, a: 1 }] }],
    ['the type email', { type: 'string' }, ['a@b.example', null], 'a', { type: 'email' }],
    ['the type uuid', { type: 'string' }, [null], 'x', { type: 'uuid' }],
    ['unique', { type: 'string' }, ['a', null, null], 'a', { unique: true }],
    [
      'the length of an index',
      { type: 'string' },
      ['a', null],
      'x'.repeat(2500),
      { indexed: true },
    ],
  ])('%s', async (_, before, good, bad, rule) => {
    await install(before, good)
    expect((await change({ ...before, ...rule })).status).toBe('updated')
    await change(before)
    await insertTestRecords(deps, await current(), [{ a: bad }])
    await expect(change({ ...before, ...rule })).rejects.toMatchObject({
      verdict: 'Incompatible change',
      details: expect.arrayContaining([expect.objectContaining({ key: good.length + 1 })]),
    })
    expect((await current()).properties[1]?.rules).not.toMatchObject(
      'type' in rule ? { format: rule.type } : rule,
    )
  })

  test('and up to 100 of those that break it are named', async () => {
    await install({ type: 'integer' }, [])
    await deps.db.execute(
      sql`insert into entities.thing (a) select n from generate_series(1, 300) n`,
    )
    const error = await change({ type: 'integer', min: 200 }).catch((thrown) => thrown)
    expect(error.details).toHaveLength(100)
    expect(error.details[0]).toEqual({ key: 1, value: 1, message: 'a must be at least 200' })
    const text = await change({ type: 'string', pattern: '^x' }).catch((thrown) => thrown)
    expect(text.details).toHaveLength(100)
  })

  test('in more batches than one', async () => {
    await install({ type: 'string' }, [])
    await deps.db.execute(
      sql`insert into entities.thing (a) select 'x' || n from generate_series(1, 12000) n`,
    )
    await deps.db.execute(sql`insert into entities.thing (a) values ('y')`)
    await expect(change({ type: 'string', pattern: '^x' })).rejects.toMatchObject({
      details: [{ key: 12_001, value: 'y' }],
    })
    expect((await change({ type: 'string', pattern: '^[xy]' })).status).toBe('updated')
  })

  test('by composite keys', async () => {
    const pks = [
      { key: 'k', strategy: 'Fixed' },
      { key: 'n', strategy: 'Fixed', type: 'number' },
    ]
    await installTestEntity(deps, { entity: { name: 'Thing', pks } }, [{ k: 'x', n: 1, a: 5 }])
    await expect(change({ type: 'string' })).rejects.toMatchObject({
      details: [{ key: { k: 'x', n: 1 }, value: 5 }],
    })
  })
})

describe('a property that is dropped', () => {
  test('keeps its column and data, and takes records without it', async () => {
    await install({ type: 'string', required: true, unique: true }, ['x'])
    await change(null)
    expect(await tableColumns(deps, 'thing')).toHaveProperty('a', 'text')
    expect(await values()).toEqual(['x'])
    expect((await current()).properties.map(({ name }) => name)).toEqual(['id'])
    await insertTestRecords(deps, await current(), [{}])
    expect(await values()).toEqual(['x', null])
  })

  test('has its data when it is declared again, also as a wider type', async () => {
    await install({ type: 'smallint' }, [5])
    await change(null)
    const outcome = await change({ type: 'integer' })
    expect(outcome.steps.map(({ type }) => type)).not.toContain('add-column')
    expect(await values()).toEqual([5])
    expect(await tableColumns(deps, 'thing')).toHaveProperty('a', 'bigint')
  })

  test('is checked against its rules when it is declared again', async () => {
    await install({ type: 'integer' }, [5])
    await change(null)
    await expect(change({ type: 'integer', max: 4 })).rejects.toMatchObject({
      verdict: 'Incompatible change',
    })
    await expect(change({ type: 'boolean' })).rejects.toMatchObject({
      verdict: 'Incompatible change',
    })
  })

  test('gives way to undeclared values that came in between', async () => {
    await install({ type: 'integer' }, [1, 2])
    await change(null)
    await insertTestRecords(deps, await current(), [{ a: 8 }])
    await deps.db.execute(sql`update entities.thing set "$extra" = '{"a": 7}' where id = ${1}`)
    await change({ type: 'integer' })
    expect(await values()).toEqual([7, 2, 8])
  })
})

describe('undeclared values', () => {
  test.each<[string, object, unknown[], unknown[]]>([
    ['text', { type: 'string' }, ['x', null], ['x', null]],
    ['integers', { type: 'smallint' }, [5], [5]],
    ['bigints as text', { type: 'bigint' }, ['9007199254740993'], [9007199254740993n]],
    ['decimals', { type: 'decimal' }, [1.5, '2.5'], [1.5, 2.5]],
    ['booleans', { type: 'boolean' }, [true], [true]],
    ['texts that spell integers', { type: 'integer' }, ['3', ' 4 '], [3, 4]],
    ['texts that spell numbers', { type: 'number' }, ['1.5'], [1.5]],
    ['texts that spell booleans', { type: 'boolean' }, ['true'], [true]],
    ['bits', { type: 'bit' }, [1, false], [true, false]],
    ['dates', { type: 'date' }, ['2024-12-31'], ['2024-12-31']],
    [
      'instants in every form',
      { type: 'datetime' },
      ['2024-12-31', { $date: '2024-12-31T00:00:00.5Z' }, 0, { $date: 0 }],
      [
        '2024-12-31T00:00:00+00:00',
        '2024-12-31T00:00:00.5+00:00',
        '1970-01-01T00:00:00+00:00',
        '1970-01-01T00:00:00+00:00',
      ],
    ],
    ['lists', { type: 'array' }, [[1]], [[1]]],
    ['objects', { type: 'object' }, [{ $date: 1 }], [{ $date: 1 }]],
    ['JSON', { type: 'json' }, ['x', { a: [] }], ['x', { a: [] }]],
  ])('become the column when declared: %s', async (_, a, stored, expected) => {
    await install(null, [undefined, ...stored])
    await change(a)
    const plain = expected.map((value) => (typeof value === 'bigint' ? Number(value) : value))
    expect(await values()).toEqual([null, ...plain])
    expect(await extras()).toEqual([null, ...stored.map(() => null)])
    expect(await deps.db.select().from(entities)).toMatchObject([{ extraFields: [] }])
  })

  test('beside them stay where they are', async () => {
    await installTestEntity(deps, { entity: { name: 'Thing' } }, [{ a: 1, b: 2 }, { b: 3 }])
    await change({ type: 'integer' })
    expect(await extras()).toEqual([{ b: 2 }, { b: 3 }])
    expect(await deps.db.select().from(entities)).toMatchObject([{ extraFields: ['b'] }])
  })

  test.each<[string, object, unknown]>([
    ['number', { type: 'string' }, 5],
    ['text', { type: 'integer' }, '5.5'],
    ['text', { type: 'number' }, 'five'],
    ['fraction', { type: 'integer' }, 1.5],
    ['large number', { type: 'smallint' }, 40_000],
    ['number beyond 64 bits', { type: 'bigint' }, 1e30],
    ['text', { type: 'boolean' }, 'yes'],
    ['number', { type: 'boolean' }, 1],
    ['word', { type: 'date' }, 'yesterday'],
    ['object', { type: 'datetime' }, { $date: { $numberLong: 'x' } }],
    ['object', { type: 'time' }, {}],
    ['object', { type: 'array' }, {}],
    ['value against the rules', { type: 'integer', max: 4 }, 5],
    ['value outside of enum', { type: 'string', enum: ['a'] }, 'b'],
  ])('that do not fit refuse it: a %s', async (_, a, value) => {
    await install(null, [undefined, value])
    await expect(change(a)).rejects.toMatchObject({
      verdict: 'Incompatible change',
      details: [{ key: 2, value }],
    })
    expect(await extras()).toEqual([null, { a: value }])
    expect(await deps.db.select().from(schemas)).toEqual([])
  })

  test('can be forbidden only where there are none', async () => {
    await install(null, ['x'])
    const closed = { additionalProperties: false }
    await expect(change(null, closed)).rejects.toMatchObject({ details: [{ value: { a: 'x' } }] })
    expect((await change({ type: 'string' }, closed)).status).toBe('created')
    expect((await current()).open).toBe(false)
  })
})

describe('a new property with a default', () => {
  test('has it in every record', async () => {
    await install(null, [undefined, 'own'])
    await change({ type: 'string', default: 'x', required: true })
    expect(await values()).toEqual(['x', 'own'])
    expect(await tableColumns(deps, 'thing')).toHaveProperty('a', 'text!')
  })

  test.each<[string, object, unknown]>([
    [
      'instants',
      { type: 'datetime', default: '2024-01-01T00:00:00Z' },
      '2024-01-01T00:00:00+00:00',
    ],
    ['JSON', { type: 'json', default: { a: [1] } }, { a: [1] }],
    ['bits', { type: 'bit', default: 1 }, true],
    ['decimals', { type: 'price', default: 9.99 }, 9.99],
  ])('may be of any type: %s', async (_, a, expected) => {
    await install(null, [undefined])
    await change(a)
    expect(await values()).toEqual([expected])
  })

  test('or without one cannot be required where there are records', async () => {
    await install(null, [undefined])
    await expect(change({ type: 'string', required: true })).rejects.toMatchObject({
      verdict: 'Incompatible change',
      details: [{ key: 1, message: expect.stringContaining('give it a default') }],
    })
    await deps.db.execute(sql`delete from entities.thing`)
    expect((await change({ type: 'string', required: true })).status).toBe('created')
  })
})

test('a change of a schema and concurrent writes do not deadlock', async () => {
  await install({ type: 'string' }, [])
  const write = async (n: number) => {
    await deps.db.transaction(async (tx) => {
      await tx.execute(sql`insert into entities.thing ("$extra") values ('{"n": 1}')`)
      await tx.execute(
        sql`update ${entities} set extra_fields = array_append(extra_fields, ${`n${n}`}::text) where name = 'Thing'`,
      )
    })
  }
  const work = Array.from({ length: 20 }, (_, n) =>
    n % 4 ? write(n) : change({ type: 'string', maxLength: 10 + n }),
  )
  await Promise.all(work)
  const [row] = await deps.db.select().from(entities)
  expect(row?.extraFields).toHaveLength(15)
})
