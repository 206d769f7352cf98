import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { entities } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import { EXTRA_COLUMN } from '@/lib/definitions/definition'
import { installTestEntity } from '@/lib/testing/entity'
import { COUNTRY, counts, deps, stored, write } from './testing/countries'

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
