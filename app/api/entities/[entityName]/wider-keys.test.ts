import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { tableColumns } from '@/lib/testing/define'
import { create, deps, ids, thing } from './testing/keyed-thing'

describe('the type of a key', () => {
  test.each([
    ['smallint', 'integer', 'bigint!', [1, 2]],
    ['smallint', 'decimal', 'numeric!', [1, 2]],
    ['integer', 'bigint', 'bigint!', [1, 2]],
    ['integer', 'decimal', 'numeric!', [1, 2]],
    ['integer', 'string', 'text!', ['1', '2']],
    ['decimal', 'string', 'text!', ['1', '2']],
  ])('widens from %s to %s with its records', async (from, to, column, found) => {
    await thing({ type: from })
    await create('Thing', { id: 1, note: 'a' })
    await create('Thing', { id: 2 })
    const done = await thing({ type: to })
    expect(done.filter((words) => /empty|Drop|primary key/.test(words))).toEqual([])
    expect((await tableColumns(deps, 'thing')).id).toBe(column)
    expect(await ids()).toEqual(found)
    expect((await create('Thing', { id: found[0] })).code).toBe(409)
  })

  test.each([
    ['smallint', 'integer', 'AutoIncrement', 3],
    ['integer', 'string', 'AutoIncrement', '3'],
    ['integer', 'decimal', 'AutoIncrement', 3],
  ])('counts on when it widens from %s to %s', async (from, to, strategy, next) => {
    await thing({ type: from, strategy })
    for (const note of ['a', 'b']) await create('Thing', { note })
    await deps.db.execute(sql`delete from entities.thing where note = 'b'`)
    await thing({ type: to, strategy })
    expect((await create('Thing', { note: 'c' })).id).toBe(next)
  })

  test('is reported with the field and both types', async () => {
    await thing({ type: 'smallint' })
    await create('Thing', { id: 1 })
    expect(await thing({ type: 'integer' })).toEqual([
      'Widen the column id of entities.thing from smallint to bigint',
    ])
  })
})
