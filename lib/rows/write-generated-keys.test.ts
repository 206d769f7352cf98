import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { testsOnCitus, testsOnPostgres } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { deps, stored, write } from './testing/countries'

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

  // Citus changes no sequence of a distributed table.
  test.skipIf(testsOnCitus())(
    'numbers that do not follow each other, as others draw them in between, are taken as they are',
    async () => {
      const entity = await installTestEntity(deps, { entity: { name: 'Note' } })
      await deps.db.execute(sql`alter sequence entities.note_id_seq increment by 2`)
      await write(entity, [{ text: 'a' }, { text: 'b' }, { text: 'c' }])
      expect(await stored(entity, 'id::int')).toEqual([{ id: 1 }, { id: 3 }, { id: 5 }])
    },
  )

  test('an insert past the engine, by default, meets no taken number', async () => {
    const entity = await installTestEntity(deps, { entity: { name: 'Note' } })
    await write(entity, [{ id: 1 }, { id: 2 }, { id: 3 }])
    await deps.db.execute(sql`insert into entities.note default values`)
    expect(await stored(entity, 'id::int')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }])
  })

  test('numbers that were written past the engine are passed, whatever is done with duplicates', async () => {
    const entity = await installTestEntity(deps, { entity: { name: 'Note' } })
    await deps.db.execute(sql`insert into entities.note (id) values (1), (2), (7)`)
    for (const onDuplicate of ['Error', 'Upsert', 'Ignore'] as const) {
      const { counts } = await write(entity, [{ text: 'a' }, { text: 'b' }], { onDuplicate })
      expect(counts).toMatchObject({ created: 2, updated: 0, unchanged: 0 })
    }
    expect((await stored(entity, 'id::int')).map(({ id }) => id)).toEqual([
      1, 2, 7, 8, 9, 10, 11, 12, 13,
    ])
  })

  test.runIf(testsOnPostgres() && !testsOnCitus())(
    'a number that another call gives and has not committed is made once more',
    async () => {
      const entity = await installTestEntity(deps, { entity: { name: 'Note' } })
      const { made } = await deps.db.transaction(async (tx) => {
        await tx.execute(sql`insert into entities.note (id) values (1)`)
        const made = write(entity, [{ text: 'a' }])
        const waiting = sql`select from pg_locks where not granted`
        while ((await rows(tx, waiting)).length === 0);
        return { made }
      })
      expect((await made).rows[0]?.values.id).toBe(2)
    },
  )

  test('parallel calls with and without numbers: none made is in the way', async () => {
    const entity = await installTestEntity(deps, { entity: { name: 'Note' } })
    const calls = Array.from({ length: 12 }, (_, n) =>
      write(entity, n % 2 ? [{ id: 1000 * (n + 1) }] : [{ a: n }, { a: n }, { a: n }]),
    )
    const results = await Promise.all(calls)
    // One that is given may have been made for another record meanwhile.
    const made = results.filter((_, n) => n % 2 === 0)
    expect(made.map(({ counts }) => counts.created)).toEqual(Array(6).fill(3))
    expect((await stored(entity, 'id::int')).map(({ id }) => id)).toEqual(
      expect.arrayContaining([2000, 4000, 6000, 8000, 10_000, 12_000]),
    )
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
