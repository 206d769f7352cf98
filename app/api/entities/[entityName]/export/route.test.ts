import { sql } from 'drizzle-orm'
import { readXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import { testKey, testRequest } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { POST as SEARCH } from '../search/route'
import { ask, deps, full, headers, textOf } from './testing/things'

describe('CSV', () => {
  test('has a line of names, quotes where needed, and CRLF', async () => {
    const response = await ask('format=csv')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/csv/)
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="Thing.csv"; filename*=UTF-8''Thing.csv`,
    )
    expect(await response.text()).toBe(
      [
        'id,name,age,price,on,day,at,doc,persistenceId,count,"odd, name"',
        '1,"say ""hi"",\r\nÄ€😀",-5,12345678901234567890.10,true,2024-02-29,2024-02-29T12:00:00.123Z,"{""a"": [1, ""x\\n\\t\\\\""]}",1,-7,\'=1+1',
        '2,"",,,,,,,2,,',
        "3,'=cmd(),,,false,,,,3,,",
        '',
      ].join('\r\n'),
    )
  })

  test('begins with a byte order mark when asked to', async () => {
    const bytes = new Uint8Array(await (await ask('format=csv&bom=true')).arrayBuffer())
    expect([...bytes.slice(0, 5)]).toEqual([0xef, 0xbb, 0xbf, 0x69, 0x64])
  })

  test.each(['=', '+', '-', '@', '\t', '\r', '\n', '＝'])(
    'takes the formula out of a text that begins with %j',
    async (starter) => {
      await deps.db.execute(
        sql`update entities.thing set name = ${`${starter}1`}::text where id = 3`,
      )
      const text = await textOf('format=csv', { fields: ['name'], query: [only(3)] })
      const cell = `'${starter}1`
      expect(text).toBe(`name\r\n${/[\r\n]/.test(starter) ? `"${cell}"` : cell}\r\n`)
    },
  )

  /** Cells as a spreadsheet finds them that separates by `separator` and overlooks our quotes. */
  const cellsBy = (separator: string, text: string) =>
    text
      .split(/\r?\n|\r/)
      .flatMap((line) => line.split(separator))
      .map((cell) => cell.replace(/^[ "]+/, ''))

  test.each([';', '\t', '|', '\n', '\r'])(
    'has no formula where %j separates',
    async (separator) => {
      const values = ['=1+1', ' =1', '"=1', '+1', '-1', '@a', '＝1'].map(
        (formula) => `a${separator}${formula}${separator}b`,
      )
      for (const [index, name] of values.entries()) {
        const doc = { text: name, list: [name, -1], [name]: 1 }
        await deps.db.execute(
          sql`insert into entities.thing (id, name, doc, "$extra") values (${100 + index}::int,
          ${name}::text, ${JSON.stringify(doc)}::jsonb, ${JSON.stringify({ count: name })}::jsonb)`,
        )
      }
      const text = await textOf('format=csv', {
        fields: ['id', 'name', 'doc', 'doc.text', 'count'],
        query: [{ field: 'id', operator: 'gte', value: 100 }],
      })
      expect(cellsBy(separator, text).filter((cell) => /^[-=+@＝]/.test(cell))).toEqual([])
      const [cell] = /"\{(""|[^"])*\}"/.exec(text) ?? []
      const doc = JSON.parse((cell ?? '').slice(1, -1).replaceAll('""', '"'))
      expect(doc).toEqual({ text: values[0], list: [values[0], -1], [values[0] as string]: 1 })
    },
  )

  test('leaves other texts with separators as they are', async () => {
    const name = 'a; b|c\td -1 e=f;g'
    await deps.db.execute(sql`update entities.thing set name = ${name}::text where id = 3`)
    const text = await textOf('format=csv', { fields: ['name'], query: [only(3)] })
    expect(text).toBe(`name\r\n${name}\r\n`)
  })

  test('has the chosen fields, matches and order', async () => {
    const body = {
      fields: ['age', 'doc.a', 'persistenceId', 'id'],
      query: [{ field: 'id', operator: 'lte', value: 2 }],
      sort: [{ field: 'id', direction: 'desc' }],
    }
    expect(await textOf('format=csv', body)).toBe(
      'age,doc.a,persistenceId,id\r\n,,2,2\r\n-5,"[1, ""x\\n\\t\\\\""]",1,1\r\n',
    )
  })

  test('is a line of names when nothing matches', async () => {
    expect(await textOf('', { fields: ['id'], query: [only(99)] })).toBe('id\r\n')
  })

  test('treats values of conditions as values', async () => {
    const value = `x'; drop table entities.thing; --\\' $1 "`
    await deps.db.execute(sql`update entities.thing set name = ${value}::text where id = 2`)
    const body = { fields: ['id'], query: [{ field: 'name', operator: 'eq', value }] }
    expect(await textOf('', body)).toBe('id\r\n2\r\n')
    expect(await rows(deps.db, sql`select id from entities.thing`)).toHaveLength(3)
  })
})

const only = (id: number) => ({ field: 'id', operator: 'eq', value: id })

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

  test('cuts texts that no cell can hold', async () => {
    await deps.db.execute(sql`update entities.thing set name = repeat('x', 40000) where id = 2`)
    const [sheet] = await sheetsOf({ fields: ['name'], query: [only(2)] })
    const text = String(sheet?.rows[1]?.[0])
    expect([text.length, text.at(-1)]).toEqual([32_767, '…'])
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
