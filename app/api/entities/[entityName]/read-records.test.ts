import { describe, expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import * as one from './[id]/route'
import { auditRows, COUNTRY, create, DE, deps, FR, read, send } from './testing/countries'

describe('reading one record', () => {
  test('by a composite key', async () => {
    const pks = ['a', 'b'].map((key, n) => ({
      key,
      strategy: 'Fixed',
      type: n ? 'number' : 'string',
    }))
    await installTestEntity(deps, { entity: { name: 'Pair', pks } })
    const { body } = await create({ a: 'x/ü', b: 2, c: 3 }, 'Pair')
    const id = body.data[0].persistenceId
    expect(JSON.parse(Buffer.from(id, 'base64url').toString())).toEqual({ a: 'x/ü', b: 2 })
    expect(await read(id, 'Pair')).toEqual(body.data[0])
    const [swapped, partial] = [{ a: 'x/ü', b: 3 }, { a: 'x/ü' }].map((key) =>
      Buffer.from(JSON.stringify(key)).toString('base64url'),
    )
    for (const bad of ['x', swapped, partial, '%', 'bnVsbA'])
      expect(await read(bad as string, 'Pair')).toBeUndefined()
  })

  test.each([
    ['bigint', '9007199254740993'],
    ['decimal', '1.50'],
    ['date', '2024-02-29'],
    ['datetime', '2024-02-29T10:00:00.123Z'],
    ['string', "a b/'ü%?"],
  ])('by a key of type %s', async (type, key) => {
    const pks = [{ key: 'key', strategy: 'Fixed', type: 'string' }]
    await installTestEntity(deps, {
      entity: { name: 'Note', pks },
      schema: { properties: [{ name: 'key', type }] },
    })
    const { body } = await create({ key, a: 1 }, 'Note')
    const id = body.data[0].persistenceId
    const path = `/${encodeURIComponent(id)}`
    const found = await send(one, 'GET', path, { name: 'Note' })
    expect(found.status).toBe(200)
    expect(found.body.data[0].persistenceId).toBe(id)
    const changed = await send(one, 'PATCH', path, { name: 'Note', body: { a: 2 } })
    expect([changed.status, changed.body.data[0]?.a]).toEqual([200, 2])
    expect((await send(one, 'DELETE', path, { name: 'Note' })).status).toBe(200)
  })

  test.each(['missing', '1e999', "' or 1=1 --", '\u0000', '9'.repeat(400)])(
    'id %j is 404',
    async (id) => {
      await installTestEntity(deps, { entity: { name: 'Note' } }, [{ id: 1 }])
      await installTestEntity(deps, COUNTRY, [DE])
      for (const name of ['Note', 'Country'])
        for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
          const body = method === 'GET' || method === 'DELETE' ? undefined : DE
          const response = await send(one, method, `/${encodeURIComponent(id)}`, { name, body })
          expect([method, response.status]).toEqual([method, 404])
        }
    },
  )
})

describe('deleting one record', () => {
  test('returns the number and keeps the others', async () => {
    await installTestEntity(deps, COUNTRY, [DE, FR])
    const { status, body } = await send(one, 'DELETE', '/DE')
    expect([status, body.data]).toEqual([200, [{ effected: 1 }]])
    expect((await send(one, 'DELETE', '/DE')).status).toBe(404)
    expect(await read('FR')).toMatchObject(FR)
    expect(await auditRows()).toMatchObject([{ action: 'records.delete', id: 'DE' }])
  })
})
