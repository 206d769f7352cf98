import { describe, expect, test } from 'vitest'
import { tableColumns } from '@/lib/testing/define'
import { change, current, deps, install, values } from './testing/thing'

describe('stored values follow a new type', () => {
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
