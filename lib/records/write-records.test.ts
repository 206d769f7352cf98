import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { tableSql } from '@/lib/db/identifiers'
import { rows } from '@/lib/db/rows'
import { entities } from '@/lib/db/schema'
import { type Entity, EXTRA_COLUMN } from '@/lib/definitions/definition'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import type { Json } from '@/lib/values/json'
import { prepareRecords } from './prepare-records'
import { columnList } from './record-columns'
import { type WriteOptions, writeRecords } from './write-records'

const deps = freshDeps()

const CODE = [{ key: 'code', strategy: 'Fixed', type: 'string' }]
const COUNTRY = {
  entity: { name: 'Country', pks: CODE },
  schema: {
    properties: [
      { name: 'code', type: 'string' },
      { name: 'name', type: 'string', required: true },
      { name: 'iso', type: 'string', unique: true },
      { name: 'people', type: 'integer' },
      { name: 'state', type: 'string', default: 'open' },
      { name: 'tags', type: 'array' },
    ],
  },
}

async function write(entity: Entity, records: object[], options: Partial<WriteOptions> = {}) {
  const { rows, faults } = await prepareRecords(entity, records as Json[], 'insert')
  expect(faults).toEqual([])
  const all = { onDuplicate: 'Error', updateStrategy: 'Upsert', actorName: 'ann', ...options }
  return deps.db.transaction((tx) => writeRecords(tx, entity, rows, all as WriteOptions))
}

const stored = (entity: Entity, columns = '*') =>
  rows<Record<string, Json>>(
    deps.db,
    sql`select ${sql.raw(columns)} from ${tableSql(entity.table)} order by ${columnList(entity.keys)}`,
  )

const counts = (created: number, updated = 0, unchanged = 0, failed = 0) => ({
  created,
  updated,
  unchanged,
  failed,
})

describe('new records', () => {
  test('are stored with their defaults, undeclared fields apart', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    const records = [
      { code: 'DE', name: 'Germany', people: 83, tags: ['eu', { a: null }], area: 357, note: null },
      { code: 'FR', name: 'France', state: null },
    ]
    const result = await write(country, records)
    expect(result).toMatchObject({ counts: counts(2), conflictCount: 0, kind: null })
    expect(await stored(country, `*, people::int as people`)).toMatchObject([
      {
        code: 'DE',
        people: 83,
        state: 'open',
        tags: ['eu', { a: null }],
        [EXTRA_COLUMN]: { area: 357, note: null },
      },
      { code: 'FR', people: null, state: null, tags: null, [EXTRA_COLUMN]: null },
    ])
  })

  test('none at all is no fault', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    for (const onDuplicate of ['Error', 'Upsert', 'Ignore'] as const)
      expect((await write(country, [], { onDuplicate })).counts).toEqual(counts(0))
  })

  test('of every type are read as they were written', async () => {
    const types = [
      'bigint',
      'decimal',
      'number',
      'smallint',
      'bit',
      'date',
      'datetime',
      'time',
      'json',
      'object',
    ]
    const entity = await installTestEntity(deps, {
      entity: { name: 'Typed' },
      schema: { properties: types.map((type) => ({ name: `a_${type}`, type })) },
    })
    await write(entity, [
      {
        id: 1,
        a_bigint: '9223372036854775807',
        a_decimal: '12345678901234567890.123',
        a_number: 1e-300,
        a_smallint: -32768,
        a_bit: 1,
        a_date: '0001-01-01',
        a_datetime: { $date: '9999-12-31T23:59:59.999Z' },
        a_time: '23:59:59.123456',
        a_json: 'text',
        a_object: { 'a\\"\n': ['🛫'] },
      },
    ])
    const [row] = await rows(
      deps.db,
      sql`select a_bigint::text, a_decimal::text, a_number::text, a_smallint::text, a_bit::text, a_date::text,
        a_datetime::text, a_time::text, a_json, a_object from entities.typed`,
    )
    expect(row).toEqual({
      a_bigint: '9223372036854775807',
      a_decimal: '12345678901234567890.123',
      a_number: '1e-300',
      a_smallint: '-32768',
      a_bit: 'true',
      a_date: '0001-01-01',
      a_datetime: '9999-12-31 23:59:59.999+00',
      a_time: '23:59:59.123456',
      a_json: 'text',
      a_object: { 'a\\"\n': ['🛫'] },
    })
  })

  test('of 60 columns, in more text than one statement takes', async () => {
    const properties = Array.from({ length: 60 }, (_, n) => ({ name: `f${n}`, type: 'string' }))
    const wide = await installTestEntity(deps, { entity: { name: 'Wide' }, schema: { properties } })
    const filled = (id: number) =>
      Object.fromEntries([['id', id], ...properties.map(({ name }) => [name, `${name} of ${id}`])])
    const records = Array.from({ length: 3000 }, (_, n) => filled(n + 1))
    expect((await write(wide, records)).counts).toEqual(counts(3000))
    const again = await write(wide, records, { onDuplicate: 'Upsert' })
    expect(again.counts).toEqual(counts(0, 0, 3000))
    const last = await stored(wide, `count(distinct f59)::int as n`.concat(', 1 as id'))
    expect(last).toEqual([{ n: 3000, id: 1 }])
  })
})

describe('generated keys', () => {
  test('numbers continue after the ones given, in the order of the records', async () => {
    const entity = await installTestEntity(deps, { entity: { name: 'Note' } })
    await write(entity, [{ text: 'a' }, { id: 7, text: 'b' }, { text: 'c' }])
    await write(entity, [{ text: 'd' }])
    expect(await stored(entity, `id::int, "$extra"->>'text' as text`)).toEqual([
      { id: 7, text: 'b' },
      { id: 8, text: 'a' },
      { id: 9, text: 'c' },
      { id: 10, text: 'd' },
    ])
  })

  test('a distant number is passed in one step', async () => {
    const entity = await installTestEntity(deps, { entity: { name: 'Note' } })
    await write(entity, [{ id: 5_000_000_000 }])
    const { rows: written } = await write(entity, [{ a: 1 }])
    expect(written[0]?.values.id).toBe(5_000_000_001)
  })

  test('an insert past the engine, by default, meets no taken number', async () => {
    const entity = await installTestEntity(deps, { entity: { name: 'Note' } })
    await write(entity, [{ id: 1 }, { id: 2 }, { id: 3 }])
    await deps.db.execute(sql`insert into entities.note default values`)
    expect(await stored(entity, 'id::int')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }])
  })

  test('parallel calls with and without numbers never meet', async () => {
    const entity = await installTestEntity(deps, { entity: { name: 'Note' } })
    const calls = Array.from({ length: 12 }, (_, n) =>
      write(entity, n % 2 ? [{ id: 1000 * (n + 1) }] : [{ a: n }, { a: n }, { a: n }]),
    )
    const results = await Promise.all(calls)
    expect(results.map(({ conflictCount }) => conflictCount)).toEqual(Array(12).fill(0))
    const { rows: last } = await write(entity, [{ a: 1 }])
    expect(last[0]?.values.id).toBeGreaterThan(12_000)
  })

  test('UUIDs are made, given ones kept', async () => {
    const pks = [{ key: 'key', strategy: 'UUID', type: 'string' }]
    const entity = await installTestEntity(deps, { entity: { name: 'Note', pks } })
    const { rows: written } = await write(entity, [{ a: 1 }, { key: 'mine', a: 2 }])
    expect(written.map(({ values }) => values.key)).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      'mine',
    ])
  })

  test('a counter put beyond 2^53 still gives each record a number of its own', async () => {
    const entity = await installTestEntity(deps, { entity: { name: 'Note' } })
    await write(entity, [{ id: 2 ** 53 - 1 }])
    await write(entity, [{ a: 1 }, { a: 2 }, { a: 3 }])
    expect((await stored(entity, 'id::text')).map(({ id }) => id)).toEqual([
      '9007199254740991',
      '9007199254740992',
      '9007199254740993',
      '9007199254740994',
    ])
  })

  test('a counter that is text counts in text', async () => {
    const pks = [{ key: 'key', strategy: 'AutoIncrement', type: 'string' }]
    const entity = await installTestEntity(deps, { entity: { name: 'Note', pks } })
    const { rows: written } = await write(entity, [{ a: 1 }, { key: '12' }, { key: 'x' }])
    expect(written.map(({ values }) => values.key)).toEqual(['13', '12', 'x'])
  })
})

describe('a taken key with Error', () => {
  test('names every conflicting record and writes none', async () => {
    const country = await installTestEntity(deps, COUNTRY, [{ code: 'DE', name: 'Germany' }])
    const records = ['FR', 'DE', 'IT', 'FR'].map((code) => ({ code, name: code }))
    const result = await write(country, records)
    expect(result).toMatchObject({
      counts: counts(0, 0, 0, 4),
      kind: 'duplicate',
      conflictCount: 2,
    })
    expect(result.conflicts).toEqual([
      {
        index: 1,
        pointer: '/code',
        key: 'DE',
        value: 'DE',
        message: 'The key "code" = "DE" exists already',
      },
      {
        index: 3,
        pointer: '/code',
        key: 'FR',
        value: 'FR',
        message: 'The key "code" = "FR" is also in record 0',
      },
    ])
    expect(await stored(country, 'code')).toEqual([{ code: 'DE' }])
  })

  test('lists the first 100 and counts all', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    const records = Array.from({ length: 250 }, (_, n) => ({ code: `c${n}`, name: 'x' }))
    await write(country, records)
    const { conflicts, conflictCount } = await write(country, records)
    expect([conflicts.length, conflictCount]).toEqual([100, 250])
  })

  test('is found however its number is spelt', async () => {
    const pks = [{ key: 'no', strategy: 'Fixed', type: 'number' }]
    const entity = await installTestEntity(deps, { entity: { name: 'Note', pks } })
    const { conflicts } = await write(entity, [{ no: 1.5 }, { no: '1.50' }, { no: '15e-1' }])
    expect(conflicts.map(({ index }) => index)).toEqual([1, 2])
  })

  test('composite keys are shown as objects', async () => {
    const pks = ['a', 'b'].map((key) => ({ key, strategy: 'Fixed', type: 'string' }))
    const entity = await installTestEntity(deps, { entity: { name: 'Pair', pks } })
    await write(entity, [
      { a: 'x', b: 'y' },
      { a: 'x', b: 'z' },
      { a: 'x"', b: ',y' },
    ])
    const { conflicts } = await write(entity, [
      { a: 'x', b: 'q' },
      { a: 'x', b: 'z' },
    ])
    expect(conflicts).toMatchObject([{ index: 1, key: { a: 'x', b: 'z' } }])
  })

  test('of two concurrent calls one wins and the other gets the conflict', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    const call = (name: string) =>
      write(country, [
        { code: name, name },
        { code: 'DE', name },
      ])
    const results = await Promise.all([call('a'), call('b')])
    const [won, lost] = results.sort((a, b) => a.conflictCount - b.conflictCount)
    expect(won?.counts).toEqual(counts(2))
    expect(lost).toMatchObject({ kind: 'duplicate', conflicts: [{ index: 1, key: 'DE' }] })
    expect(await stored(country, 'code')).toHaveLength(2)
  })

  test('calls with the same keys in opposite orders do not block each other', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    const records = Array.from({ length: 400 }, (_, n) => ({ code: `c${n}`, name: 'x' }))
    const calls = Array.from({ length: 6 }, (_, n) =>
      write(country, n % 2 ? records : records.toReversed(), { onDuplicate: 'Upsert' }),
    )
    const results = await Promise.all(calls)
    expect(results.reduce((sum, result) => sum + result.counts.created, 0)).toBe(400)
  })
})

describe('a taken key with Ignore', () => {
  test('keeps what is stored, and of repeated records the first', async () => {
    const country = await installTestEntity(deps, COUNTRY, [{ code: 'DE', name: 'Germany' }])
    const records = [
      { code: 'DE', name: 'x' },
      { code: 'FR', name: 'France' },
      { code: 'FR', name: 'x' },
    ]
    const { counts: all } = await write(country, records, { onDuplicate: 'Ignore' })
    expect(all).toEqual(counts(1, 0, 2))
    expect(await stored(country, 'name')).toEqual([{ name: 'Germany' }, { name: 'France' }])
  })

  test('a record that is not written conflicts with nothing', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    await write(country, [
      { code: 'DE', name: 'a', iso: '1' },
      { code: 'FR', name: 'b', iso: '2' },
    ])
    const { conflictCount } = await write(country, [{ code: 'DE', name: 'a', iso: '2' }], {
      onDuplicate: 'Ignore',
    })
    expect(conflictCount).toBe(0)
  })
})

describe('a taken key with Upsert', () => {
  const upsert = { onDuplicate: 'Upsert' } as const

  test('writes what differs and leaves identical records alone', async () => {
    const entity = { ...COUNTRY.entity, auditable: true }
    const country = await installTestEntity(deps, { ...COUNTRY, entity })
    const france = { code: 'FR', name: 'France' }
    const germany = { code: 'DE', name: 'Germany', tags: [1, { a: 1, b: 2 }], x: { k: [1] } }
    await write(country, [germany, france], { now: new Date(0) })
    const versions = () => stored(country, 'code, xmin::text, "LastUpdatedAt"::text')
    const before = await versions()
    const same = [{ ...germany, tags: [1, { b: 2, a: 1 }] }, france]
    expect((await write(country, same, upsert)).counts).toEqual(counts(0, 0, 2))
    expect(await versions()).toEqual(before)
    const changed = [germany, { code: 'FR', name: 'FRANCE' }, { code: 'IT', name: 'Italy' }]
    const later = { ...upsert, now: new Date(1000), actorName: 'bob' }
    expect((await write(country, changed, later)).counts).toEqual(counts(1, 1, 1))
    expect(
      await stored(
        country,
        `name, "CreatedBy", "LastUpdatedBy", extract(epoch from "LastUpdatedAt")::int as at`,
      ),
    ).toEqual([
      { name: 'Germany', CreatedBy: 'ann', LastUpdatedBy: 'ann', at: 0 },
      { name: 'FRANCE', CreatedBy: 'ann', LastUpdatedBy: 'bob', at: 1 },
      { name: 'Italy', CreatedBy: 'bob', LastUpdatedBy: 'bob', at: 1 },
    ])
  })

  test('merging leaves fields alone that a record does not have, defaults included', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    await write(country, [
      { code: 'DE', name: 'a', state: 'closed', people: 1, x: 1, y: 1 },
      { code: 'FR', name: 'b', people: 2 },
    ])
    const changes = [
      { code: 'DE', name: 'a', people: null, y: 2 },
      { code: 'FR', name: 'b', iso: 'fr' },
      { code: 'IT', name: 'c' },
    ]
    expect((await write(country, changes, upsert)).counts).toEqual(counts(1, 2))
    expect(await stored(country, 'people::int, state, iso, "$extra" as extra')).toEqual([
      { people: null, state: 'closed', iso: null, extra: { x: 1, y: 2 } },
      { people: 2, state: 'open', iso: 'fr', extra: null },
      { people: null, state: 'open', iso: null, extra: null },
    ])
  })

  test('replacing empties what a record does not have', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    await write(country, [{ code: 'DE', name: 'a', state: 'closed', people: 1, x: 1 }])
    const replace = { ...upsert, updateStrategy: 'Replace' } as const
    const record = { code: 'DE', name: 'b' }
    expect((await write(country, [record], replace)).counts).toEqual(counts(0, 1))
    expect((await write(country, [record], replace)).counts).toEqual(counts(0, 0, 1))
    expect(await stored(country, 'name, state, people::int, "$extra" as extra')).toEqual([
      { name: 'b', state: 'open', people: null, extra: null },
    ])
  })

  test('records of one key are applied in order', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    const records = [
      { code: 'DE', name: 'a', people: 1, x: 1 },
      { code: 'DE', name: 'b', iso: 'i', y: 2 },
    ]
    expect((await write(country, records, upsert)).counts).toEqual(counts(1, 0, 1))
    const columns = 'name, people::int, iso, "$extra" as extra'
    const merged = { name: 'b', people: 1, iso: 'i', extra: { x: 1, y: 2 } }
    expect(await stored(country, columns)).toEqual([merged])
    expect((await write(country, records, upsert)).counts).toEqual(counts(0, 0, 2))
    await write(country, records, { ...upsert, updateStrategy: 'Replace' })
    const last = { name: 'b', people: null, iso: 'i', extra: { y: 2 } }
    expect(await stored(country, columns)).toEqual([last])
  })

  test('text that differs in case or by an accent differs', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    await write(country, [{ code: 'DE', name: 'Cafe' }])
    for (const name of ['cafe', 'café', 'cafe '])
      expect((await write(country, [{ code: 'DE', name }], upsert)).counts).toEqual(counts(0, 1))
  })

  test('records without a key are always new', async () => {
    const entity = await installTestEntity(deps, { entity: { name: 'Note' } })
    const records = [{ a: 1 }, { a: 1 }]
    expect((await write(entity, records, upsert)).counts).toEqual(counts(2))
    expect((await write(entity, records, upsert)).counts).toEqual(counts(2))
  })
})

describe('a taken unique value', () => {
  test('names every record that has one, and writes none', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    await write(country, [
      { code: 'DE', name: 'a', iso: '1' },
      { code: 'FR', name: 'b' },
    ])
    const records = [
      { code: 'IT', name: 'x', iso: '1' },
      { code: 'ES', name: 'x', iso: '2' },
      { code: 'PT', name: 'x', iso: '2' },
      { code: 'AT', name: 'x', iso: null },
    ]
    const result = await write(country, records)
    expect(result).toMatchObject({ kind: 'unique', conflictCount: 2, counts: counts(0, 0, 0, 4) })
    expect(result.conflicts).toEqual([
      {
        index: 0,
        pointer: '/iso',
        key: 'IT',
        value: '1',
        message: '"iso" must be unique: "1" exists already',
      },
      {
        index: 2,
        pointer: '/iso',
        key: 'PT',
        value: '2',
        message: '"iso" must be unique: "2" is also in record 1',
      },
    ])
    expect(await stored(country, 'code')).toHaveLength(2)
  })

  test('is not the record itself when it is upserted', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    const records = [
      { code: 'DE', name: 'a', iso: '1' },
      { code: 'FR', name: 'b', iso: '2' },
    ]
    await write(country, records)
    const options = { onDuplicate: 'Upsert' } as const
    const renamed = [{ code: 'DE', name: 'z', iso: '1' }]
    expect((await write(country, renamed, options)).counts).toEqual(counts(0, 1))
    const { conflicts } = await write(country, [{ code: 'DE', name: 'z', iso: '2' }], options)
    expect(conflicts).toMatchObject([{ index: 0, key: 'DE', value: '2' }])
  })

  test('of several fields is found too', async () => {
    const indexes = [{ fields: ['name', 'people'], unique: true }]
    const country = await installTestEntity(deps, {
      ...COUNTRY,
      entity: { ...COUNTRY.entity, indexes },
    })
    await write(country, [{ code: 'DE', name: 'a', people: 1 }])
    const records = [
      { code: 'FR', name: 'a', people: 2 },
      { code: 'IT', name: 'a', people: 1 },
    ]
    const { conflicts, kind } = await write(country, records)
    expect(kind).toBe('unique')
    expect(conflicts).toMatchObject([{ index: 1, value: ['a', 1] }])
  })
})

describe('references', () => {
  const CITY = {
    entity: { name: 'City' },
    schema: {
      properties: [
        { name: 'country', type: 'string', reference: { entity: 'Country', field: 'code' } },
      ],
    },
  }

  test('to nothing are named, and nothing is written', async () => {
    await installTestEntity(deps, COUNTRY, [{ code: 'DE', name: 'Germany' }])
    const city = await installTestEntity(deps, CITY)
    const records = [{ country: 'DE' }, { country: 'XX' }, { country: null }, { country: 'YY' }]
    const result = await write(city, records)
    expect(result).toMatchObject({ kind: 'reference', conflictCount: 2 })
    expect(result.conflicts).toMatchObject([
      {
        index: 1,
        pointer: '/country',
        value: 'XX',
        message: '"country" refers to "XX", which is not in Country',
      },
      { index: 3, pointer: '/country', value: 'YY' },
    ])
    expect(await stored(city, 'id')).toEqual([])
  })

  test('among the records of one call can be in any order', async () => {
    const parent = { name: 'parent', type: 'string', reference: { entity: 'Node', field: 'code' } }
    const node = await installTestEntity(deps, {
      entity: { name: 'Node', pks: CODE },
      schema: { properties: [{ name: 'code', type: 'string' }, parent] },
    })
    const good = [
      { code: 'a', parent: 'b' },
      { code: 'b', parent: 'a' },
    ]
    expect((await write(node, good)).counts).toEqual(counts(2))
    const bad = [
      { code: 'c', parent: 'd' },
      { code: 'd', parent: 'missing' },
    ]
    const { conflicts } = await write(node, bad)
    expect(conflicts).toMatchObject([{ index: 1, value: 'missing' }])
  })
})

describe('undeclared names', () => {
  test('are remembered, once, and only new ones returned', async () => {
    const entity = await installTestEntity(deps, { entity: { name: 'Note' } })
    const first = await write(entity, [{ a: 1 }, { b: 1 }])
    expect(first.newExtraFields).toEqual(['a', 'b'])
    await write(entity, [{ b: 1, c: 1 }])
    const [row] = await deps.db.select().from(entities).where(eq(entities.name, 'Note'))
    expect(row?.extraFields).toEqual(['a', 'b', 'c'])
  })

  test('are remembered up to 1,000; the values of all are kept', async () => {
    const entity = await installTestEntity(deps, { entity: { name: 'Note' } })
    const fields = Array.from({ length: 1500 }, (_, n) => [`f${n}`, n])
    const { newExtraFields } = await write(entity, [Object.fromEntries(fields)])
    expect(newExtraFields).toHaveLength(1000)
    const [row] = await stored(entity, `"$extra"->'f1499' as last, 1 as id`)
    expect(row).toEqual({ last: 1499, id: 1 })
  })
})

test('hostile text is data', async () => {
  const country = await installTestEntity(deps, COUNTRY)
  const evil = `'); drop table entities.country; -- $1 \\ "${'${x}'} \n\r\t\u2028`
  await write(country, [{ code: evil, name: evil, [evil]: evil }])
  expect(await stored(country, 'code, name, "$extra" as extra')).toEqual([
    { code: evil, name: evil, extra: { [evil]: evil } },
  ])
})
