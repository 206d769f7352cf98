import { beforeAll, describe, expect, test } from 'vitest'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { Json } from '@/lib/values/json'
import { GET, PATCH } from './[id]/route'
import { POST as EXPORT } from './export/route'

const deps = currentDeps()
let headers: Record<string, string>

const key = (name: string, type: 'string' | 'number') => [{ key: name, strategy: 'Fixed', type }]
const to = (entity: string, field: string) => ({ reference: { entity, field } })

beforeAll(async () => {
  await testDeps()
  const install = (entity: object, properties: object[], records: object[]) =>
    installTestEntity(deps, { entity, schema: { properties } }, records)
  await install(
    { name: 'Country', pks: key('code', 'string') },
    [{ name: 'name', type: 'string' }],
    [
      { code: 'IT', name: 'Italy, the' },
      { code: 'FR', name: '=France' },
    ],
  )
  await install(
    { name: 'Region', pks: key('id', 'number') },
    [{ name: 'country', type: 'string', meta: to('Country', 'code') }],
    [
      { id: 1, country: 'IT' },
      { id: 2, country: 'FR' },
    ],
  )
  await install(
    { name: 'City', pks: key('id', 'number') },
    [
      { name: 'name', type: 'string' },
      { name: 'region', type: 'integer', meta: to('Region', 'id') },
    ],
    [
      { id: 1, name: 'Roma', region: 1 },
      { id: 2, name: 'Paris', region: 2 },
      { id: 3, name: 'Nowhere', region: null, note: 'undeclared' },
    ],
  )
  headers = { authorization: `Bearer ${await testKey(deps, ['VIEWER'])}` }
})

const cityOnly = async () => ({
  authorization: `Bearer ${await testKey(deps, ['ADMIN'], ['City:read', 'City:update'])}`,
})

describe('exports follow references', () => {
  const ask = (format: string, body: object, input = headers) =>
    call(deps, EXPORT, {
      method: 'POST',
      path: `/api/entities/City/export?format=${format}`,
      params: { entityName: 'City' },
      headers: input,
      body,
    })
  const fields = ['name', 'region.country.name']

  test('in what they write, filter and sort by', async () => {
    const sort = [{ field: 'region.country.name', direction: 'asc' }]
    const csv = await ask('csv', { fields, sort })
    expect(csv.text).toBe(
      'name,region.country.name\r\nParis,\'=France\r\nRoma,"Italy, the"\r\nNowhere,\r\n',
    )
    const query = [{ field: 'region.country.code', operator: 'eq', value: 'IT' }]
    const json = await ask('json', { fields, query })
    expect(json.body).toEqual([{ name: 'Roma', 'region.country.name': 'Italy, the' }])
  })

  test('also where all fields are written', async () => {
    const query = [{ field: 'region.country.name', operator: 'isnull' }]
    const all = { id: 3, name: 'Nowhere', region: null, note: 'undeclared', persistenceId: '3' }
    expect((await ask('json', { query })).body).toEqual([all])
  })

  test('only into what the caller may read', async () => {
    expect((await ask('csv', { fields }, await cityOnly())).status).toBe(403)
    expect((await ask('csv', { fields: ['name'] }, await cityOnly())).status).toBe(200)
  })
})

describe('a record by its id', () => {
  const read = (id: string, query = '', input = headers) =>
    call(deps, GET, {
      path: `/api/entities/City/${id}?${query}`,
      params: { entityName: 'City', id },
      headers: input,
    })
  const dataOf = async (id: string, query: string): Promise<Json> =>
    (await read(id, query)).body.data[0]

  test('has the fields that are asked for, also of what it refers to', async () => {
    expect(await dataOf('1', 'fields=name,region.country.name')).toEqual({
      name: 'Roma',
      'region.country.name': 'Italy, the',
    })
    expect(await dataOf('3', 'fields=note,persistenceId')).toEqual({
      note: 'undeclared',
      persistenceId: '3',
    })
  })

  test('holds the records it refers to', async () => {
    expect(await dataOf('1', 'expand=region.country')).toEqual({
      id: 1,
      name: 'Roma',
      persistenceId: '1',
      region: {
        id: 1,
        persistenceId: '1',
        country: { code: 'IT', name: 'Italy, the', persistenceId: 'IT' },
      },
    })
    expect(await dataOf('3', 'expand=region&fields=region')).toEqual({ region: null })
  })

  test('has one ETag, whatever is asked for', async () => {
    const etag = (await read('2')).headers.get('etag') ?? ''
    for (const query of ['fields=name', 'expand=region', 'fields=region.country.name'])
      expect((await read('2', query)).headers.get('etag')).toBe(etag)
    const changed = await call(deps, PATCH, {
      method: 'PATCH',
      path: '/api/entities/City/2',
      params: { entityName: 'City', id: '2' },
      headers: { 'if-match': etag },
      as: 'EDITOR',
      body: { name: 'Lutetia' },
    })
    expect(changed.status).toBe(200)
  })

  test('is refused with every fault named, and where the caller may not read', async () => {
    const { status, body } = await read('1', 'fields=nmae&expand=name')
    expect(status).toBe(400)
    expect(body.validations.map(({ field }: { field: string }) => field).sort()).toEqual([
      'expand.0',
      'fields.0',
    ])
    expect((await read('9', 'fields=name')).status).toBe(404)
    expect((await read('1', 'expand=region', await cityOnly())).status).toBe(403)
    expect((await read('1', 'depth=1')).status).toBe(400)
  })
})
