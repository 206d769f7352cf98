import { describe, expect, test } from 'vitest'
import { tableColumns } from '@/lib/testing/define'
import { change, current, deps, install, values } from './testing/thing'

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
