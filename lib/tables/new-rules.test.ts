import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { tableColumns } from '@/lib/testing/define'
import { insertTestRecords, installTestEntity } from '@/lib/testing/entity'
import { change, current, deps, install, values } from './testing/thing'

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
