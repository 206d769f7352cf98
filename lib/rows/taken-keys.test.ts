import { describe, expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import { COUNTRY, counts, deps, stored, write } from './testing/countries'

describe('a taken key with Error', () => {
  test('names every conflicting record and writes none', async () => {
    const country = await installTestEntity(deps, COUNTRY, [{ code: 'DE', name: 'Germany' }])
    const records = ['FR', 'DE', 'IT', 'FR'].map((code) => ({ code, name: code }))
    const result = await write(country, records)
    expect(result).toMatchObject({
      counts: counts(0, 0, 0, 4),
      kind: 'duplicate',
      conflictCount: 2,
    })
    expect(result.conflicts).toEqual([
      {
        index: 1,
        pointer: '/code',
        key: 'DE',
        value: 'DE',
        message: 'The key "code" = "DE" exists already',
      },
      {
        index: 3,
        pointer: '/code',
        key: 'FR',
        value: 'FR',
        message: 'The key "code" = "FR" is also in record number 1',
      },
    ])
    expect(await stored(country, 'code')).toEqual([{ code: 'DE' }])
  })

  test('lists the first 100 and counts all', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    const records = Array.from({ length: 250 }, (_, n) => ({ code: `c${n}`, name: 'x' }))
    await write(country, records)
    const { conflicts, conflictCount } = await write(country, records)
    expect([conflicts.length, conflictCount]).toEqual([100, 250])
  })

  test('is found however its number is spelt', async () => {
    const pks = [{ key: 'no', strategy: 'Fixed', type: 'number' }]
    const entity = await installTestEntity(deps, { entity: { name: 'Note', pks } })
    const { conflicts } = await write(entity, [{ no: 1.5 }, { no: '1.50' }, { no: '15e-1' }])
    expect(conflicts.map(({ index }) => index)).toEqual([1, 2])
  })

  test('composite keys are shown as objects', async () => {
    const pks = ['a', 'b'].map((key) => ({ key, strategy: 'Fixed', type: 'string' }))
    const entity = await installTestEntity(deps, { entity: { name: 'Pair', pks } })
    await write(entity, [
      { a: 'x', b: 'y' },
      { a: 'x', b: 'z' },
      { a: 'x"', b: ',y' },
    ])
    const { conflicts } = await write(entity, [
      { a: 'x', b: 'q' },
      { a: 'x', b: 'z' },
    ])
    expect(conflicts).toMatchObject([{ index: 1, key: { a: 'x', b: 'z' } }])
  })

  test('of two concurrent calls one wins and the other gets the conflict', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    const call = (name: string) =>
      write(country, [
        { code: name, name },
        { code: 'DE', name },
      ])
    const results = await Promise.all([call('a'), call('b')])
    const [won, lost] = results.sort((a, b) => a.conflictCount - b.conflictCount)
    expect(won?.counts).toEqual(counts(2))
    expect(lost).toMatchObject({ kind: 'duplicate', conflicts: [{ index: 1, key: 'DE' }] })
    expect(await stored(country, 'code')).toHaveLength(2)
  })

  test('calls with the same keys in opposite orders do not block each other', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    const records = Array.from({ length: 400 }, (_, n) => ({ code: `c${n}`, name: 'x' }))
    const calls = Array.from({ length: 6 }, (_, n) =>
      write(country, n % 2 ? records : records.toReversed(), { onDuplicate: 'Upsert' }),
    )
    const results = await Promise.all(calls)
    expect(results.reduce((sum, result) => sum + result.counts.created, 0)).toBe(400)
  })
})

describe('a taken key with Ignore', () => {
  test('keeps what is stored, and of repeated records the first', async () => {
    const country = await installTestEntity(deps, COUNTRY, [{ code: 'DE', name: 'Germany' }])
    const records = [
      { code: 'DE', name: 'x' },
      { code: 'FR', name: 'France' },
      { code: 'FR', name: 'x' },
    ]
    const { counts: all } = await write(country, records, { onDuplicate: 'Ignore' })
    expect(all).toEqual(counts(1, 0, 2))
    expect(await stored(country, 'name')).toEqual([{ name: 'Germany' }, { name: 'France' }])
  })

  test('a record that is not written conflicts with nothing', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    await write(country, [
      { code: 'DE', name: 'a', iso: '1' },
      { code: 'FR', name: 'b', iso: '2' },
    ])
    const { conflictCount } = await write(country, [{ code: 'DE', name: 'a', iso: '2' }], {
      onDuplicate: 'Ignore',
    })
    expect(conflictCount).toBe(0)
  })
})

describe('a taken key with Upsert', () => {
  const upsert = { onDuplicate: 'Upsert' } as const

  test('writes what differs and leaves identical records alone', async () => {
    const entity = { ...COUNTRY.entity, auditable: true }
    const country = await installTestEntity(deps, { ...COUNTRY, entity })
    const france = { code: 'FR', name: 'France' }
    const germany = { code: 'DE', name: 'Germany', tags: [1, { a: 1, b: 2 }], x: { k: [1] } }
    await write(country, [germany, france], { now: new Date(0) })
    const versions = () => stored(country, 'code, xmin::text, "LastUpdatedAt"::text')
    const before = await versions()
    const same = [{ ...germany, tags: [1, { b: 2, a: 1 }] }, france]
    expect((await write(country, same, upsert)).counts).toEqual(counts(0, 0, 2))
    expect(await versions()).toEqual(before)
    const changed = [germany, { code: 'FR', name: 'FRANCE' }, { code: 'IT', name: 'Italy' }]
    const later = { ...upsert, now: new Date(1000), actorName: 'bob' }
    expect((await write(country, changed, later)).counts).toEqual(counts(1, 1, 1))
    expect(
      await stored(
        country,
        `name, "CreatedBy", "LastUpdatedBy", extract(epoch from "LastUpdatedAt")::int as at`,
      ),
    ).toEqual([
      { name: 'Germany', CreatedBy: 'ann', LastUpdatedBy: 'ann', at: 0 },
      { name: 'FRANCE', CreatedBy: 'ann', LastUpdatedBy: 'bob', at: 1 },
      { name: 'Italy', CreatedBy: 'bob', LastUpdatedBy: 'bob', at: 1 },
    ])
  })

  test('merging leaves fields alone that a record does not have, defaults included', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    await write(country, [
      { code: 'DE', name: 'a', state: 'closed', people: 1, x: 1, y: 1 },
      { code: 'FR', name: 'b', people: 2 },
    ])
    const changes = [
      { code: 'DE', name: 'a', people: null, y: 2 },
      { code: 'FR', name: 'b', iso: 'fr' },
      { code: 'IT', name: 'c' },
    ]
    expect((await write(country, changes, upsert)).counts).toEqual(counts(1, 2))
    expect(await stored(country, 'people::int, state, iso, "$extra" as extra')).toEqual([
      { people: null, state: 'closed', iso: null, extra: { x: 1, y: 2 } },
      { people: 2, state: 'open', iso: 'fr', extra: null },
      { people: null, state: 'open', iso: null, extra: null },
    ])
  })

  test('replacing empties what a record does not have', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    await write(country, [{ code: 'DE', name: 'a', state: 'closed', people: 1, x: 1 }])
    const replace = { ...upsert, updateStrategy: 'Replace' } as const
    const record = { code: 'DE', name: 'b' }
    expect((await write(country, [record], replace)).counts).toEqual(counts(0, 1))
    expect((await write(country, [record], replace)).counts).toEqual(counts(0, 0, 1))
    expect(await stored(country, 'name, state, people::int, "$extra" as extra')).toEqual([
      { name: 'b', state: 'open', people: null, extra: null },
    ])
  })

  test('records of one key are applied in order', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    const records = [
      { code: 'DE', name: 'a', people: 1, x: 1 },
      { code: 'DE', name: 'b', iso: 'i', y: 2 },
    ]
    expect((await write(country, records, upsert)).counts).toEqual(counts(1, 0, 1))
    const columns = 'name, people::int, iso, "$extra" as extra'
    const merged = { name: 'b', people: 1, iso: 'i', extra: { x: 1, y: 2 } }
    expect(await stored(country, columns)).toEqual([merged])
    expect((await write(country, records, upsert)).counts).toEqual(counts(0, 0, 2))
    await write(country, records, { ...upsert, updateStrategy: 'Replace' })
    const last = { name: 'b', people: null, iso: 'i', extra: { y: 2 } }
    expect(await stored(country, columns)).toEqual([last])
  })

  test('text that differs in case or by an accent differs', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    await write(country, [{ code: 'DE', name: 'Cafe' }])
    for (const name of ['cafe', 'café', 'cafe '])
      expect((await write(country, [{ code: 'DE', name }], upsert)).counts).toEqual(counts(0, 1))
  })

  test('records without a key are always new', async () => {
    const entity = await installTestEntity(deps, { entity: { name: 'Note' } })
    const records = [{ a: 1 }, { a: 1 }]
    expect((await write(entity, records, upsert)).counts).toEqual(counts(2))
    expect((await write(entity, records, upsert)).counts).toEqual(counts(2))
  })
})
