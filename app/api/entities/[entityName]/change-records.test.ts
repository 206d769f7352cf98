import { describe, expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import * as one from './[id]/route'
import { auditRows, COUNTRY, create, DE, deps, FR, read, send } from './testing/countries'

describe('changing one record', () => {
  test('PATCH changes the given fields and keeps the others', async () => {
    await installTestEntity(deps, COUNTRY)
    const { body: before } = await create({ ...DE, x: 1, y: 1 })
    const { status, body } = await send(one, 'PATCH', '/DE', {
      body: { name: 'D', iso: null, y: 2 },
    })
    expect(status).toBe(200)
    expect(body.data).toEqual([
      {
        ...before.data[0],
        ...{ name: 'D', iso: null, y: 2 },
        LastUpdatedAt: expect.any(String),
      },
    ])
    expect((await auditRows())[1]).toMatchObject({
      action: 'records.update',
      id: 'DE',
      details: { changed: { name: { before: 'Germany', after: 'D' } } },
    })
  })

  test.each([
    ['integer', '1', ['01', '+1', '1.0', ' 1', '1e0', '-1']],
    ['integer', '9007199254740993', ['9007199254740992', '+9007199254740993']],
    ['decimal', '1.50', ['1.5', '01.50', '+1.50', '1.500', '15e-1']],
    ['float', '0.5', ['.5', '0.50', '+0.5', '5e-1']],
  ])('of a key that is %s the record only has the id %s', async (type, id, others) => {
    const entity = { name: 'Thing', pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }] }
    const named = type === 'integer' ? 'bigint' : type
    await installTestEntity(deps, {
      entity,
      schema: {
        properties: [
          { name: 'id', type: named },
          { name: 'n', type: 'integer' },
        ],
      },
    })
    const made = await create({ id: type === 'float' ? Number(id) : id, n: 1 }, 'Thing')
    expect(made.body.data[0].persistenceId).toBe(id)
    for (const [method, body] of [['GET'], ['PATCH', { n: 2 }], ['DELETE']] as const) {
      for (const other of others) {
        const path = `/${encodeURIComponent(other)}`
        const response = await send(one, method, path, { body, name: 'Thing' })
        expect([method, other, response.status]).toEqual([method, other, 404])
      }
    }
    expect((await send(one, 'PATCH', `/${id}`, { body: { n: 2 }, name: 'Thing' })).status).toBe(200)
    expect((await read(id, 'Thing')).n).toBe(2)
    expect((await send(one, 'DELETE', `/${id}`, { name: 'Thing' })).status).toBe(200)
  })

  test('PATCH takes an undeclared field away that is null, and keeps nulls within others', async () => {
    await installTestEntity(deps, COUNTRY)
    await create({ ...DE, x: 1, y: 1, "it's": { z: null } })
    const { body } = await send(one, 'PATCH', '/DE', { body: { x: null, y: { a: null } } })
    expect(body.data[0]).toMatchObject({ ...DE, y: { a: null }, "it's": { z: null } })
    expect(body.data[0]).not.toHaveProperty('x')
    const { body: emptied } = await send(one, 'PATCH', '/DE', {
      body: { y: null, "it's": null, never: null },
    })
    const left = [...Object.keys(DE), 'since', 'persistenceId']
    const kept = ['CreatedAt', 'CreatedBy', 'LastUpdatedAt', 'LastUpdatedBy']
    expect(Object.keys(emptied.data[0]).sort()).toEqual([...left, ...kept].sort())
  })

  test('PUT merges where the definition says Upsert, as it does by default', async () => {
    await installTestEntity(deps, COUNTRY, [DE])
    const { body } = await send(one, 'PUT', '/DE', { body: { name: 'D' } })
    expect(body.data).toMatchObject([{ code: 'DE', name: 'D', people: 83 }])
  })

  test('PUT replaces where the definition says Replace', async () => {
    const replacing = { ...COUNTRY, entity: { ...COUNTRY.entity, updateStrategy: 'Replace' } }
    await installTestEntity(deps, replacing, [{ ...DE, x: 1 }])
    const refused = await send(one, 'PUT', '/DE', { body: { people: 1 } })
    expect(refused.body.validations).toEqual([{ field: 'name', error: 'is required' }])
    const { body } = await send(one, 'PUT', '/DE', { body: { name: 'D' } })
    expect(body.data).toMatchObject([{ code: 'DE', name: 'D', people: null, iso: null }])
    expect(body.data[0]).not.toHaveProperty('x')
    const patched = await send(one, 'PATCH', '/DE', { body: { people: 1 } })
    expect(patched.body.data).toMatchObject([{ name: 'D', people: 1 }])
  })

  test('no fields change nothing', async () => {
    await installTestEntity(deps, COUNTRY)
    const { body: before } = await create(DE)
    const { status, body } = await send(one, 'PATCH', '/DE', { body: {} })
    expect([status, body.data]).toEqual([200, before.data])
  })

  test('a record that was read can be sent back', async () => {
    await installTestEntity(deps, COUNTRY)
    const { body } = await create({ ...DE, since: '1990-10-03', x: [1] })
    const again = await send(one, 'PUT', '/DE', { body: body.data[0] })
    expect(again.body.data).toEqual(body.data)
  })

  test.each([
    ['another key', { code: 'AT' }, 400, 'code'],
    ['a key of null', { code: null }, 400, 'code'],
    ['a bad field', { people: 'many' }, 400, 'people'],
    ['a required field of null', { name: null }, 400, 'name'],
    ['a taken unique value', { iso: '250' }, 409, 'iso'],
  ])('refuses %s', async (_, body, status, field) => {
    await installTestEntity(deps, COUNTRY, [DE, FR])
    for (const method of ['PUT', 'PATCH']) {
      const response = await send(one, method, '/DE', { body })
      expect(response.status).toBe(status)
      expect(response.body.validations).toMatchObject([{ field }])
    }
    expect(await read('DE')).toMatchObject(DE)
  })
})

describe('a change of a certain version', () => {
  test('succeeds for the ETag that was read, and only once', async () => {
    await installTestEntity(deps, COUNTRY, [DE])
    const etag = (await send(one, 'GET', '/DE')).headers.get('etag') as string
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    const more = { 'if-match': `"other", ${etag}` }
    const changes = ['a', 'b'].map((name) => send(one, 'PATCH', '/DE', { body: { name }, more }))
    const responses = await Promise.all(changes)
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412])
    const won = responses.find(({ status }) => status === 200)
    expect((await send(one, 'GET', '/DE')).headers.get('etag')).toBe(won?.headers.get('etag'))
    expect((await send(one, 'PUT', '/DE', { body: { name: 'c' }, more })).status).toBe(412)
    expect((await send(one, 'DELETE', '/DE', { more })).status).toBe(412)
    expect((await send(one, 'DELETE', '/DE', { more: { 'if-match': '*' } })).status).toBe(200)
  })
})
