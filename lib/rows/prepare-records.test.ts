import { describe, expect, test } from 'vitest'
import { plainEntity } from '@/lib/testing/plain-entity'
import type { Json } from '@/lib/values/json'
import { whyNotStorable } from '@/lib/values/storable'
import { prepareRecords } from './prepare-records'

const FIXED = { pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }] }
const NUL = '\u0000'

/** Prepares `{ id: 1, field: value }` against one property. */
async function prepareOne(property: object, value: Json) {
  const properties = [{ name: 'field', ...property }]
  const entity = plainEntity(FIXED, { additionalProperties: false, properties })
  return prepareRecords(entity, [{ id: 1, field: value }], 'insert')
}

describe('a value that its property allows is stored', () => {
  test.each<[string, object, Json, Json?]>([
    ['text', { type: 'string' }, 'Zoë 🛫'],
    ['text of exactly maxLength characters, not code units', { type: 'char', length: 2 }, '🛫🛬'],
    ['a whole number', { type: 'integer' }, -5],
    ['the greatest safe integer', { type: 'integer' }, Number.MAX_SAFE_INTEGER],
    ['a bigint as text', { type: 'bigint' }, '9223372036854775807'],
    ['a small integer', { type: 'tinyint' }, 32_767],
    ['a float', { type: 'number' }, 1.5e-7],
    ['a decimal as number', { type: 'price' }, 12.34],
    ['a decimal as text', { type: 'decimal' }, '12345678901234567890.12345'],
    ['true', { type: 'boolean' }, true],
    ['1 for a bit', { type: 'bit' }, 1, true],
    ['0 for a bit', { type: 'bit' }, 0, false],
    ['a date', { type: 'date' }, '2024-02-29'],
    ['midnight UTC as a date', { type: 'date' }, '2024-02-29T00:00:00Z', '2024-02-29'],
    ['an instant', { type: 'datetime' }, '2024-05-01T10:00:00Z', '2024-05-01T10:00:00.000Z'],
    ['an offset', { type: 'Date' }, '2024-05-01T10:00:00+02:00', '2024-05-01T08:00:00.000Z'],
    ['no zone', { type: 'datetime' }, '2024-05-01 10:00', '2024-05-01T10:00:00.000Z'],
    ['only a day', { type: 'datetime' }, '2024-05-01', '2024-05-01T00:00:00.000Z'],
    ['epoch milliseconds', { type: 'datetime' }, 0, '1970-01-01T00:00:00.000Z'],
    [
      '{ $date: text }',
      { type: 'Date' },
      { $date: '2024-05-01T10:00:00.1239Z' },
      '2024-05-01T10:00:00.123Z',
    ],
    ['{ $date: number }', { type: 'datetime' }, { $date: 1 }, '1970-01-01T00:00:00.001Z'],
    [
      '{ $date: { $numberLong } }',
      { type: 'datetime' },
      { $date: { $numberLong: '-1' } },
      '1969-12-31T23:59:59.999Z',
    ],
    ['a time', { type: 'time' }, '08:30', '08:30:00'],
    ['a time with a fraction', { type: 'time' }, '08:30:00.500', '08:30:00.5'],
    ['any JSON', { type: 'json' }, [1, { a: null }]],
    ['an object', { type: 'object' }, { constructor: 1 }],
    ['a list', { type: 'array' }, ['x', 1]],
    ['an email address', { type: 'email' }, 'zoë@example.co.uk'],
    ['a URL', { type: 'url' }, 'https://example.com/a?b=c#d'],
    ['a UUID', { type: 'uuid' }, '0190F5E2-7B1C-7C3A-8F00-000000000000'],
    ['a phone number', { type: 'phone' }, '+49 (0)30 901820 ext. 12'],
    ['a value of the enum', { type: 'string', enum: ['a', 'b'] }, 'b'],
    ['a value at its limits', { type: 'integer', min: 5, max: 5 }, 5],
    ['text that the pattern finds', { type: 'string', pattern: '[0-9]' }, 'a1b'],
    [
      'null where nothing is required',
      { type: 'string', enum: ['a'], pattern: 'a', minLength: 1 },
      null,
    ],
    ['null as a decimal', { type: 'decimal', min: 1 }, null],
    ['null as an instant', { type: 'datetime' }, null],
  ])('%s', async (_, property, value, stored = value) => {
    const { rows, faults } = await prepareOne(property, value)
    expect(faults).toEqual([])
    expect(rows).toEqual([{ index: 0, values: { id: 1, field: stored }, extra: null }])
  })
})

describe('a value that breaks a rule is a fault that says which', () => {
  test.each<[object, Json, string]>([
    [{ type: 'string' }, 5, 'must be text'],
    [{ type: 'string', required: true }, null, 'is required'],
    [{ type: 'string', maxLength: 3 }, 'abcd', 'must have at most 3 characters'],
    [{ type: 'string', length: 3 }, 'abcd', 'must have at most 3 characters'],
    [{ type: 'string', minLength: 1 }, '', 'must have at least 1 character'],
    [{ type: 'string', pattern: '^[A-Z]+$' }, 'ab', 'must match the pattern ^[A-Z]+$'],
    [{ type: 'string', enum: ['a', 'b'] }, 'c', 'must be one of "a", "b"'],
    [
      { type: 'string', indexed: true },
      'é'.repeat(1500),
      'is too long for an indexed field: 2400 bytes at most',
    ],
    [{ type: 'integer' }, 1.5, 'must be a whole number'],
    [{ type: 'integer' }, '5', 'must be a whole number'],
    [{ type: 'integer' }, 2 ** 53, 'must be at most 9007199254740991'],
    [{ type: 'smallint' }, 40_000, 'must be at most 32767'],
    [{ type: 'integer', min: 3 }, 2, 'must be at least 3'],
    [{ type: 'bigint' }, '9223372036854775808', 'must be a whole number, or text that spells one'],
    [{ type: 'bigint' }, '12.5', 'must be a whole number, or text that spells one'],
    [{ type: 'number', max: 3 }, 3.01, 'must be at most 3'],
    [{ type: 'number' }, Number.POSITIVE_INFINITY, 'must be a number'],
    [{ type: 'decimal' }, '1,5', 'must be a number, or text that spells one'],
    [{ type: 'decimal' }, '1e9999', 'must be a number, or text that spells one'],
    [{ type: 'decimal' }, '', 'must be a number, or text that spells one'],
    [
      { type: 'price', min: 0, max: 9 },
      '-0.01',
      'must be a number, or text that spells one from 0 to 9',
    ],
    [{ type: 'boolean' }, 'true', 'must be true or false'],
    [{ type: 'boolean' }, 1, 'must be true or false'],
    [{ type: 'bit' }, 2, 'must be true, false, 1 or 0'],
    [{ type: 'date' }, '2024-02-30', 'must be a date as YYYY-MM-DD'],
    [{ type: 'date' }, '2024-02-29T08:00:00Z', 'must be a date as YYYY-MM-DD'],
    [{ type: 'date' }, '02/29/2024', 'must be a date as YYYY-MM-DD'],
    [
      { type: 'datetime' },
      '2024-02-30T00:00:00Z',
      'must be a date and time (ISO 8601, epoch milliseconds or { "$date": … })',
    ],
    [
      { type: 'datetime' },
      '0000-01-01T00:00:00Z',
      'must be a date and time (ISO 8601, epoch milliseconds or { "$date": … })',
    ],
    [
      { type: 'datetime' },
      '2024-01-01T24:00:00Z',
      'must be a date and time (ISO 8601, epoch milliseconds or { "$date": … })',
    ],
    [
      { type: 'datetime' },
      1.5,
      'must be a date and time (ISO 8601, epoch milliseconds or { "$date": … })',
    ],
    [
      { type: 'datetime' },
      1e17,
      'must be a date and time (ISO 8601, epoch milliseconds or { "$date": … })',
    ],
    [
      { type: 'datetime' },
      { $date: {} },
      'must be a date and time (ISO 8601, epoch milliseconds or { "$date": … })',
    ],
    [{ type: 'time' }, '25:00', 'must be a time of day as HH:mm:ss'],
    [{ type: 'object' }, [], 'must be an object'],
    [{ type: 'array' }, {}, 'must be a list'],
    [{ type: 'json', required: true }, null, 'is required'],
    [{ type: 'email' }, 'missing', 'must be an email address'],
    [{ type: 'url' }, 'javascript:alert(1)', 'must be an absolute URL'],
    [{ type: 'url' }, '/relative', 'must be an absolute URL'],
    [{ type: 'uuid' }, 'x', 'must be a UUID'],
    [{ type: 'phone' }, 'call me', 'must be a phone number'],
  ])('%j refuses %j', async (property, value, message) => {
    const { rows, faults, faultCount } = await prepareOne(property, value)
    expect(rows).toEqual([])
    expect(faults).toMatchObject([{ index: 0, pointer: '/field', message }])
    expect(faultCount).toBe(1)
  })
})

describe('text that PostgreSQL cannot store is a fault', () => {
  const free = plainEntity(FIXED)
  test.each<[string, Json]>([
    ['U+0000', { id: 1, a: `x${NUL}` }],
    ['half of a surrogate pair', { id: 1, a: '\uD83D' }],
    ['deep inside', { id: 1, a: [{ b: ['ok', NUL] }] }],
    ['in a nested key', { id: 1, a: { [`k${NUL}`]: 1 } }],
    ['in the name of the field', { id: 1, [`a${NUL}\uDC00`]: 1 }],
    ['a number beyond doubles', { id: 1, a: [1, Number.POSITIVE_INFINITY] }],
  ])('%s', async (_, record) => {
    const { faults } = await prepareRecords(free, [record], 'insert')
    expect(faults).toHaveLength(1)
    // The fault itself is stored in the log.
    expect(whyNotStorable(faults as Json)).toBeNull()
  })

  test('a field nested deeper than 100 levels is a fault, one of 100 is stored', async () => {
    const nest = (levels: number): Json => (levels === 0 ? 1 : [nest(levels - 1)])
    const records = [
      { id: 1, a: nest(100) },
      { id: 2, a: nest(101) },
      { id: 3, a: nest(5000) },
    ]
    const { rows, faults } = await prepareRecords(free, records, 'insert')
    expect(rows).toHaveLength(1)
    expect(faults.map(({ index }) => index)).toEqual([1, 2])
  })
})

describe('undeclared fields', () => {
  test('are kept apart where the schema allows them, whatever their names', async () => {
    const entity = plainEntity(FIXED, { properties: [{ name: 'a', type: 'string' }] })
    const record = JSON.parse('{"id":1,"a":"x","__proto__":{"b":1},"constructor":2,"toString":3}')
    const { rows } = await prepareRecords(entity, [record], 'insert')
    expect(JSON.stringify(rows[0]?.extra)).toBe(
      '{"__proto__":{"b":1},"constructor":2,"toString":3}',
    )
    expect(({} as { b?: number }).b).toBeUndefined()
  })

  test('are one fault each where it does not', async () => {
    const entity = plainEntity(FIXED, { additionalProperties: false, properties: [] })
    const { faults } = await prepareRecords(entity, [{ id: 1, 'a/b': 1, c: 2 }], 'insert')
    expect(faults).toEqual([
      { index: 0, pointer: '/a~1b', message: 'is not a field of Thing', value: 1 },
      { index: 0, pointer: '/c', message: 'is not a field of Thing', value: 2 },
    ])
  })

  test('persistenceId and audit fields, which reads return, are ignored', async () => {
    const entity = plainEntity(
      { ...FIXED, auditable: true },
      { additionalProperties: false, properties: [] },
    )
    const record = { id: 1, persistenceId: '1', CreatedAt: 'x', LastUpdatedBy: 5 }
    const { rows, faults } = await prepareRecords(entity, [record], 'insert')
    expect(faults).toEqual([])
    expect(rows).toEqual([{ index: 0, values: { id: 1 }, extra: null }])
  })
})

describe('keys and required fields', () => {
  const schema = {
    properties: [
      { name: 'name', type: 'string', required: true },
      { name: 'state', type: 'string', required: true, default: 'open' },
    ],
  }

  test('a new record needs its Fixed key and every required field without a default', async () => {
    const { faults } = await prepareRecords(plainEntity(FIXED, schema), [{}], 'insert')
    expect(faults).toEqual([
      { index: 0, pointer: '/id', message: 'is required' },
      { index: 0, pointer: '/name', message: 'is required' },
    ])
  })

  test('generated keys may be absent or null', async () => {
    const records: Json[] = [{ name: 'a' }, { name: 'b', id: null }]
    for (const strategy of ['AutoIncrement', 'UUID']) {
      const entity = plainEntity({ pks: [{ key: 'id', strategy }] }, schema)
      const { faults } = await prepareRecords(entity, records, 'insert')
      expect(faults).toEqual([])
    }
  })

  test('a change needs the key, and only checks what is given', async () => {
    const entity = plainEntity({}, schema)
    const records: Json[] = [{ id: 1, state: 'closed' }, { state: 'closed' }, { id: 2, name: null }]
    const { rows, faults } = await prepareRecords(entity, records, 'update')
    expect(rows.map(({ values }) => values)).toEqual([{ id: 1, state: 'closed' }])
    expect(faults).toMatchObject([
      { index: 1, pointer: '/id', message: 'is required: it is the key of the record' },
      { index: 2, pointer: '/name', message: 'is required' },
    ])
  })

  test('a replacement needs the key and what a new record needs', async () => {
    const { faults } = await prepareRecords(plainEntity({}, schema), [{}], 'replace')
    expect(faults.map(({ pointer }) => pointer)).toEqual(['/name', '/id'])
  })

  test('an empty text is no key', async () => {
    const entity = plainEntity({ pks: [{ key: 'code', strategy: 'Fixed' }] })
    const { faults } = await prepareRecords(entity, [{ code: '' }], 'insert')
    expect(faults).toMatchObject([{ pointer: '/code', message: 'must have at least 1 character' }])
  })
})

test('what is no object is a fault', async () => {
  const { faults } = await prepareRecords(plainEntity({}), [null, 5, []], 'insert')
  expect(faults).toMatchObject([
    { index: 0, pointer: '', message: 'must be an object', value: null },
    { index: 1, pointer: '', message: 'must be an object', value: 5 },
    { index: 2, pointer: '', message: 'must be an object' },
  ])
})

test('the first 100 faults are listed, all are counted, values are shortened', async () => {
  const entity = plainEntity(FIXED, { properties: [{ name: 'a', type: 'integer' }] })
  const records = Array.from({ length: 150 }, (_, id) => ({ id, a: 'x'.repeat(5000) }))
  const { faults, faultCount } = await prepareRecords(entity, records, 'insert')
  expect(faults).toHaveLength(100)
  expect(faultCount).toBe(150)
  expect(faults[99]).toMatchObject({ index: 99, value: `${'x'.repeat(199)}…` })
})

test('a pattern that would hang V8 is matched in linear time', async () => {
  const before = process.cpuUsage()
  const { faults } = await prepareOne(
    { type: 'string', pattern: '^(a+)+$' },
    `${'a'.repeat(50_000)}!`,
  )
  expect(faults).toHaveLength(1)
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000) // microseconds, of this process only
})

test('other work continues while a large file is checked', async () => {
  const entity = plainEntity(FIXED, { properties: [{ name: 'a', type: 'string' }] })
  const records = Array.from({ length: 60_000 }, (_, id) => ({ id, a: `text ${id}` }))
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await prepareRecords(entity, records, 'insert')
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
})

describe.each(['email', 'url', 'uuid', 'phone'])('an empty text as %s', (type) => {
  test('says that there is none, and is kept', async () => {
    const { rows, faults } = await prepareOne({ type }, '')
    expect(faults).toEqual([])
    expect(rows).toMatchObject([{ values: { field: '' } }])
  })

  test('is none where the field is required', async () => {
    const { faults } = await prepareOne({ type, required: true }, '')
    expect(faults).toMatchObject([{ message: expect.stringMatching(/^must be an? /) }])
  })

  test('keeps to the other rules', async () => {
    const { faults } = await prepareOne({ type, minLength: 3 }, '')
    expect(faults).toMatchObject([{ message: 'must have at least 3 characters' }])
  })
})
