import { describe, expect, test } from 'vitest'
import { entities, schemas } from '@/lib/db/schema'
import { installTestEntity } from '@/lib/testing/entity'
import { change, current, deps, extras, install, values } from './testing/thing'

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
    [
      'instants with finer digits than are stored, which are cut as in requests',
      { type: 'datetime' },
      ['2024-12-31T23:59:59.9999Z', { $date: '2024-12-31T00:00:00.001999999+02:00' }],
      ['2024-12-31T23:59:59.999+00:00', '2024-12-30T22:00:00.001+00:00'],
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
