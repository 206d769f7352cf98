import { describe, expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import { COUNTRY, createMany, DE, deps, FR, read } from './testing/countries'

describe('creating many records', () => {
  test('returns them in order, with their generated keys', async () => {
    await installTestEntity(deps, { entity: { name: 'Note' } })
    const { status, body } = await createMany([{ a: 'x' }, { id: 7, a: 'y' }, { a: 'z' }], 'Note')
    expect(status).toBe(201)
    expect(body.meta).toEqual({ created: 3, updated: 0, unchanged: 0 })
    expect(body.data).toEqual([
      { id: 8, a: 'x', persistenceId: '8' },
      { id: 7, a: 'y', persistenceId: '7' },
      { id: 9, a: 'z', persistenceId: '9' },
    ])
  })

  test('takes { records } as well', async () => {
    await installTestEntity(deps, COUNTRY)
    expect((await createMany({ records: [DE, FR] })).body.data).toHaveLength(2)
  })

  test('names every bad record and stores none', async () => {
    await installTestEntity(deps, COUNTRY)
    const { status, body } = await createMany([DE, { code: 'FR' }, 5, { ...FR, people: -1 }])
    expect(status).toBe(400)
    expect(body.validations).toEqual([
      { field: 'records.1.name', error: 'is required' },
      { field: 'records.2', error: 'must be an object' },
      { field: 'records.3.people', error: 'must be at least 0' },
    ])
    expect(body.error).toBe('records.1.name: is required (and 2 more)')
    expect(await read('DE')).toBeUndefined()
  })

  test('names every conflict and stores none', async () => {
    await installTestEntity(deps, COUNTRY, [FR])
    const { status, body } = await createMany([DE, FR, { ...DE, code: 'AT' }])
    expect(status).toBe(409)
    expect(body.validations.map(({ field }: { field: string }) => field)).toEqual([
      'records.1.code',
      'records.2.iso',
    ])
    expect(await read('DE')).toBeUndefined()
  })

  test('says how many faults there are beyond the first 100', async () => {
    await installTestEntity(deps, COUNTRY)
    const { body } = await createMany(Array(150).fill({ code: 'DE' }))
    expect(body.validations).toHaveLength(100)
    expect(body.meta).toEqual({ validationCount: 150 })
  })

  test.each([
    ['none', []],
    ['too many', Array(10_001).fill({})],
    ['one that is no list', DE],
    ['something else', 'text'],
  ])('refuses %s', async (_, body) => {
    await installTestEntity(deps, COUNTRY)
    const response = await createMany(typeof body === 'string' ? JSON.stringify(body) : body)
    expect([400, 415]).toContain(response.status)
  })

  test('takes 10,000', async () => {
    await installTestEntity(deps, { entity: { name: 'Note' } })
    const { status, body } = await createMany(Array(10_000).fill({ a: 1 }), 'Note')
    expect([status, body.data.length, body.data[9_999].id]).toEqual([201, 10_000, 10_000])
  })
})
