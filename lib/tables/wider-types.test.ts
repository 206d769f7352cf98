import { describe, expect, test } from 'vitest'
import { change, install, values } from './testing/thing'

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
  ])('to %s', async (_, before, stored, after, expected) => {
    await install(before, stored)
    expect((await change(after)).status).toBe('updated')
    expect(await values()).toEqual(expected)
  })
})
