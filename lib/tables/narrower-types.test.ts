import { describe, expect, test } from 'vitest'
import { change, install, values } from './testing/thing'

describe('stored values follow a new type', () => {
  test.each<[string, object, unknown[], object, unknown[]]>([
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
      ['2024-02-29', '2024-02-29T10:00Z', '2024-02-29T23:59:59.9996Z'],
      { type: 'datetime' },
      ['2024-02-29T00:00:00+00:00', '2024-02-29T10:00:00+00:00', '2024-02-29T23:59:59.999+00:00'],
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
})
