import { describe, expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import * as batch from './batch/route'
import * as entity from './route'
import { COUNTRY, createMany, DE, deps, FR, read, send } from './testing/countries'

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

describe('changing many records by the keys they hold', () => {
  test('changes all, returns them in order', async () => {
    await installTestEntity(deps, COUNTRY, [DE, FR])
    const changes = [
      { code: 'FR', people: 68 },
      { code: 'DE', people: 83 },
    ]
    const { status, body } = await send(batch, 'PUT', '/batch', { body: changes })
    expect([status, body.meta]).toEqual([200, { updated: 1, unchanged: 1 }])
    expect(body.data).toMatchObject([{ ...FR, people: 68 }, DE])
  })

  test('one record by its key', async () => {
    await installTestEntity(deps, COUNTRY, [DE])
    const { body } = await send(entity, 'PUT', '', { body: { code: 'DE', people: 1 } })
    expect(body.data).toMatchObject([{ name: 'Germany', people: 1 }])
    const refused = await send(entity, 'PUT', '', { body: { people: 1 } })
    expect(refused.body.validations).toMatchObject([{ field: 'code' }])
    const missing = await send(entity, 'PUT', '', { body: FR })
    expect([missing.status, missing.body.error]).toEqual([
      404,
      'There is no Country with the key "FR"',
    ])
  })

  test.each([
    [
      'without a record',
      [{ code: 'DE', name: 'x' }, FR, { ...FR, code: 'IT' }],
      404,
      ['records.1', 'records.2'],
    ],
    ['without a key', [{ code: 'DE', name: 'x' }, { name: 'x' }], 400, ['records.1.code']],
    [
      'with a bad field',
      [
        { code: 'DE', name: 'x' },
        { code: 'DE', people: 'x' },
      ],
      400,
      ['records.1.people'],
    ],
    [
      'with a value that is given twice',
      [
        { code: 'DE', iso: '1' },
        { code: 'AT', iso: '1' },
      ],
      409,
      ['records.1.iso'],
    ],
  ])('names every record %s and changes none', async (_, body, status, fields) => {
    await installTestEntity(deps, COUNTRY, [DE, { code: 'AT', name: 'Austria' }])
    const response = await send(batch, 'PUT', '/batch', { body })
    expect(response.status).toBe(status)
    expect(response.body.validations.map(({ field }: { field: string }) => field)).toEqual(fields)
    expect(await read('DE')).toMatchObject(DE)
  })
})
