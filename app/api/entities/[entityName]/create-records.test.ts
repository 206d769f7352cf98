import { describe, expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import * as one from './[id]/route'
import * as search from './search/route'
import { auditRows, COUNTRY, create, DE, deps, FR, read, send } from './testing/countries'

describe('creating a record', () => {
  test('returns 201 and the record as searches show it', async () => {
    await installTestEntity(deps, COUNTRY)
    const { status, body } = await create({ ...DE, since: '1990-10-03', area: { km2: 357_592 } })
    expect(status).toBe(201)
    expect(body).toMatchObject({ code: 201, status: 'CREATED' })
    expect(body.data).toEqual([
      {
        ...DE,
        since: '1990-10-03T00:00:00.000Z',
        area: { km2: 357_592 },
        persistenceId: 'DE',
        CreatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        CreatedBy: 'test',
        LastUpdatedAt: body.data[0].CreatedAt,
        LastUpdatedBy: 'test',
      },
    ])
    expect(await read('DE')).toEqual(body.data[0])
    const found = await send(search, 'POST', '/search', { body: {} })
    expect(found.body.data).toEqual(body.data)
  })

  test('makes its undeclared fields searchable immediately', async () => {
    await installTestEntity(deps, COUNTRY)
    await create({ ...DE, capital: 'Berlin' })
    const query = [{ field: 'capital', operator: 'eq', value: 'Berlin' }]
    const { body } = await send(search, 'POST', '/search', { body: { query } })
    expect(body.data).toHaveLength(1)
  })

  test('writes an audit row in the same transaction', async () => {
    await installTestEntity(deps, COUNTRY)
    await create(DE)
    await create(DE)
    expect(await auditRows()).toEqual([
      {
        action: 'records.create',
        type: 'Country',
        id: 'DE',
        details: { created: 1, updated: 0, unchanged: 0, failed: 0 },
      },
    ])
  })

  test.each([
    ['a missing required field', { code: 'DE' }, 400, [['name', 'is required']]],
    [
      'two bad fields',
      { code: 'de', name: 5 },
      400,
      [
        ['code', 'must match the pattern ^[A-Z]{2}$'],
        ['name', 'must be text'],
      ],
    ],
    [
      'text that cannot be stored',
      { ...DE, x: '\u0000' },
      400,
      [['x', 'holds text that the database cannot store (U+0000 or half of a surrogate pair)']],
    ],
    ['a list', [DE], 400, [['', 'must be an object with the fields of a record']]],
    ['a taken key', FR, 409, [['code', 'The key "code" = "FR" exists already']]],
    [
      'a taken unique value',
      { ...DE, iso: '250' },
      409,
      [['iso', '"iso" must be unique: "250" exists already']],
    ],
  ])('refuses %s', async (_, record, status, validations) => {
    await installTestEntity(deps, COUNTRY, [FR])
    const response = await create(record)
    expect(response.status).toBe(status)
    expect(response.body.data).toEqual([])
    expect(response.body.validations).toEqual(
      validations.map(([field, error]) => ({ field, error })),
    )
    expect(await read('DE')).toBeUndefined()
  })

  test('names a reference to nothing', async () => {
    await installTestEntity(deps, COUNTRY, [FR])
    const reference = { entity: 'Country', field: 'code' }
    const properties = [{ name: 'country', type: 'string', reference }]
    await installTestEntity(deps, { entity: { name: 'City' }, schema: { properties } })
    const { status, body } = await create({ country: 'XX' }, 'City')
    expect(status).toBe(400)
    expect(body.validations).toEqual([
      { field: 'country', error: '"country" refers to "XX", which is not in Country' },
    ])
    expect((await create({ country: 'FR' }, 'City')).status).toBe(201)
    const deletion = await send(one, 'DELETE', '/FR')
    expect(deletion.status).toBe(409)
    expect(deletion.body.error).toContain('"City"')
  })

  test.each([
    ['Upsert', 200, { name: 'changed', people: 83 }],
    ['Ignore', 200, { name: 'Germany', people: 83 }],
  ])(
    'on a taken key does what insertDuplicate %s says',
    async (insertDuplicate, status, expected) => {
      await installTestEntity(
        deps,
        { ...COUNTRY, entity: { ...COUNTRY.entity, insertDuplicate } },
        [DE],
      )
      const response = await create({ code: 'DE', name: 'changed' })
      expect(response.status).toBe(status)
      expect(response.body.data).toMatchObject([expected])
    },
  )

  test('two concurrent requests with one key: one wins, the other is 409', async () => {
    await installTestEntity(deps, COUNTRY)
    const statuses = (await Promise.all([create(DE), create(DE)])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 409])
  })
})
