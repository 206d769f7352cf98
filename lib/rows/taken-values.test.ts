import { describe, expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import { CODE, COUNTRY, counts, deps, stored, write } from './testing/countries'

describe('a taken unique value', () => {
  test('names every record that has one, and writes none', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    await write(country, [
      { code: 'DE', name: 'a', iso: '1' },
      { code: 'FR', name: 'b' },
    ])
    const records = [
      { code: 'IT', name: 'x', iso: '1' },
      { code: 'ES', name: 'x', iso: '2' },
      { code: 'PT', name: 'x', iso: '2' },
      { code: 'AT', name: 'x', iso: null },
    ]
    const result = await write(country, records)
    expect(result).toMatchObject({ kind: 'unique', conflictCount: 2, counts: counts(0, 0, 0, 4) })
    expect(result.conflicts).toEqual([
      {
        index: 0,
        pointer: '/iso',
        key: 'IT',
        value: '1',
        message: '"iso" must be unique: "1" exists already',
      },
      {
        index: 2,
        pointer: '/iso',
        key: 'PT',
        value: '2',
        message: '"iso" must be unique: "2" is also in record number 2',
      },
    ])
    expect(await stored(country, 'code')).toHaveLength(2)
  })

  test('is not the record itself when it is upserted', async () => {
    const country = await installTestEntity(deps, COUNTRY)
    const records = [
      { code: 'DE', name: 'a', iso: '1' },
      { code: 'FR', name: 'b', iso: '2' },
    ]
    await write(country, records)
    const options = { onDuplicate: 'Upsert' } as const
    const renamed = [{ code: 'DE', name: 'z', iso: '1' }]
    expect((await write(country, renamed, options)).counts).toEqual(counts(0, 1))
    const { conflicts } = await write(country, [{ code: 'DE', name: 'z', iso: '2' }], options)
    expect(conflicts).toMatchObject([{ index: 0, key: 'DE', value: '2' }])
  })

  test('of several fields is found too', async () => {
    const indexes = [{ fields: ['name', 'people'], unique: true }]
    const country = await installTestEntity(deps, {
      ...COUNTRY,
      entity: { ...COUNTRY.entity, indexes },
    })
    await write(country, [{ code: 'DE', name: 'a', people: 1 }])
    const records = [
      { code: 'FR', name: 'a', people: 2 },
      { code: 'IT', name: 'a', people: 1 },
    ]
    const { conflicts, kind } = await write(country, records)
    expect(kind).toBe('unique')
    expect(conflicts).toMatchObject([{ index: 1, value: ['a', 1] }])
  })
})

describe('references', () => {
  const CITY = {
    entity: { name: 'City' },
    schema: {
      properties: [
        { name: 'country', type: 'string', reference: { entity: 'Country', field: 'code' } },
      ],
    },
  }

  test('to nothing are named, and nothing is written', async () => {
    await installTestEntity(deps, COUNTRY, [{ code: 'DE', name: 'Germany' }])
    const city = await installTestEntity(deps, CITY)
    const records = [{ country: 'DE' }, { country: 'XX' }, { country: null }, { country: 'YY' }]
    const result = await write(city, records)
    expect(result).toMatchObject({ kind: 'reference', conflictCount: 2 })
    expect(result.conflicts).toMatchObject([
      {
        index: 1,
        pointer: '/country',
        value: 'XX',
        message: '"country" refers to "XX", which is not in Country',
      },
      { index: 3, pointer: '/country', value: 'YY' },
    ])
    expect(await stored(city, 'id')).toEqual([])
  })

  test('among the records of one call can be in any order', async () => {
    const parent = { name: 'parent', type: 'string', reference: { entity: 'Node', field: 'code' } }
    const node = await installTestEntity(deps, {
      entity: { name: 'Node', pks: CODE },
      schema: { properties: [{ name: 'code', type: 'string' }, parent] },
    })
    const good = [
      { code: 'a', parent: 'b' },
      { code: 'b', parent: 'a' },
    ]
    expect((await write(node, good)).counts).toEqual(counts(2))
    const bad = [
      { code: 'c', parent: 'd' },
      { code: 'd', parent: 'missing' },
    ]
    const { conflicts } = await write(node, bad)
    expect(conflicts).toMatchObject([{ index: 1, value: 'missing' }])
  })
})
