import { describe, expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import * as batch from './batch/route'
import * as entity from './route'
import { COUNTRY, DE, deps, FR, read, send } from './testing/countries'

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
