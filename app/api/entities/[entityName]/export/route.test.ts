import { sql } from 'drizzle-orm'
import { readXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { testKey, testRequest } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { POST as SEARCH } from '../search/route'
import { ask, deps, full, headers } from './testing/things'

describe('JSON', () => {
  const search = async (body: object) => {
    const path = '/api/entities/Thing/search'
    const request = await testRequest(deps, { method: 'POST', path, body, headers })
    const response = await SEARCH(request, { params: Promise.resolve({ entityName: 'Thing' }) })
    return ((await response.json()) as { data: JsonObject[] }).data
  }

  test.each([
    {},
    { sort: [{ field: 'name', direction: -1 }] },
    { fields: ['doc', 'odd, name', 'persistenceId'] },
    { query: [{ field: 'id', operator: 'eq', value: 99 }] },
  ])('is the list that a search returns: %j', async (body) => {
    const response = await ask('format=json', body)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.json()).toEqual(await search(body))
  })
})

describe('XLSX', () => {
  const sheetsOf = async (body?: object) => {
    const response = await ask('format=xlsx', body)
    expect(response.headers.get('content-disposition')).toContain('Thing.xlsx')
    return (await readXlsx(new Uint8Array(await response.arrayBuffer()))).sheets
  }

  test('has labels for names and room for what stands below them', async () => {
    const body = { fields: ['id', 'name'], labels: { name: 'The name of the thing', other: 'x' } }
    const response = await ask('format=xlsx', body)
    const file = new Uint8Array(await response.arrayBuffer())
    const [sheet] = (await readXlsx(file, { readStyles: true })).sheets
    expect(sheet?.rows[0]).toEqual(['id', 'The name of the thing'])
    expect(sheet?.columns?.map(({ width }) => Math.round(width ?? 0))).toEqual([14, 24])
    const csv = await (await ask('format=csv', body)).text()
    expect(csv.split('\r\n')[0]).toBe('id,The name of the thing')
  })

  test('has names above typed cells; numbers that a sheet would alter are texts', async () => {
    const [sheet, ...others] = await sheetsOf()
    expect(others).toEqual([])
    expect(sheet?.name).toBe('Thing')
    const [names, first, second, third] = sheet?.rows ?? []
    expect(names).toEqual([
      'id',
      'name',
      'age',
      'price',
      'on',
      'day',
      'at',
      'doc',
      'persistenceId',
      'count',
      'odd, name',
    ])
    expect(first).toEqual([
      1,
      full.name,
      -5,
      '12345678901234567890.10',
      true,
      '2024-02-29',
      '2024-02-29T12:00:00.123Z',
      '{"a": [1, "x\\n\\t\\\\"]}',
      1,
      -7,
      '=1+1',
    ])
    expect(second?.slice(0, 3)).toEqual([2, expect.toBeOneOf(['', null]), null])
    expect(third?.slice(0, 5)).toEqual([3, '=cmd()', null, null, false])
  })
})

describe('refuses in the envelope', () => {
  test.each([
    ['format=pdf', {}, 400],
    ['format=csv&bom=perhaps', {}, 400],
    ['format=csv', { pagination: { page: 0 } }, 400],
    ['format=csv', { fields: ['nope'] }, 400],
    ['format=csv', { entity: 'Other' }, 400],
    ['format=csv', { query: [], filters: [] }, 400],
  ])('%s %j', async (query, body, status) => {
    const response = await ask(query, body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ data: [], code: status })
  })

  test('what the database refuses before the first byte', async () => {
    await deps.db.execute(sql`alter table entities.thing rename to elsewhere`)
    for (const format of ['csv', 'json', 'xlsx']) {
      const response = await ask(`format=${format}`)
      expect(response.status).toBe(500)
      expect(await response.json()).toMatchObject({ code: 500 })
    }
    await deps.db.execute(sql`alter table entities.elsewhere rename to thing`)
    expect((await ask('format=csv')).status).toBe(200)
  })

  test('strangers', async () => {
    expect((await ask('format=csv', {}, {})).status).toBe(401)
    const guest = { authorization: `Bearer ${await testKey(deps, ['GUEST'])}` }
    expect((await ask('format=csv', {}, guest)).status).toBe(403)
  })
})
