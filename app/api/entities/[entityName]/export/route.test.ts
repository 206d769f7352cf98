import { sql } from 'drizzle-orm'
import { readXlsx } from 'hucre/xlsx'
import { beforeEach, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import type { Deps } from '@/lib/deps'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { testKey, testRequest } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { POST as SEARCH } from '../search/route'
import { POST } from './route'

const deps = freshDeps()
let headers: Record<string, string>

const properties = [
  { name: 'name', type: 'string' },
  { name: 'age', type: 'bigint' },
  { name: 'price', type: 'decimal' },
  { name: 'on', type: 'boolean' },
  { name: 'day', type: 'date' },
  { name: 'at', type: 'datetime' },
  { name: 'doc', type: 'json' },
]
const full = {
  name: 'say "hi",\r\nÄ€😀',
  age: -5,
  price: '12345678901234567890.10',
  on: true,
  day: '2024-02-29',
  at: '2024-02-29T12:00:00.123Z',
  doc: { a: [1, 'x\n\t\\'] },
  'odd, name': '=1+1',
  count: -7,
}

beforeEach(async () => {
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema: { properties } }, [
    full,
    { name: '' },
    { name: '=cmd()', on: false },
  ])
  headers = { authorization: `Bearer ${await testKey(deps, ['VIEWER'])}` }
})

const ask = async (query: string, body: object = {}, as = headers) => {
  const path = `/api/entities/Thing/export?${query}`
  const request = await testRequest(deps, { method: 'POST', path, body, headers: as })
  return POST(request, { params: Promise.resolve({ entityName: 'Thing' }) })
}

const textOf = async (query: string, body?: object) => (await ask(query, body)).text()

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

describe('many records', () => {
  beforeEach(async () => {
    await deps.db.execute(
      sql`insert into entities.thing (name, age) select 'n' || g, g % 7 from generate_series(1, 20000) g`,
    )
  })

  test('are complete, in the order of the search, equal each time', async () => {
    const body = { fields: ['age', 'id'], sort: [{ field: 'age', direction: 'desc' }] }
    const text = await textOf('format=csv', body)
    const lines = text.split('\r\n').slice(1, -1)
    expect(lines).toHaveLength(20_003)
    const expected = await rows<{ line: string }>(
      deps.db,
      sql`select concat(age, ',', id) as line from entities.thing order by age desc nulls last, id desc`,
    )
    expect(lines).toEqual(expected.map(({ line }) => line))
    expect(await textOf('format=csv', body)).toBe(text)
  })

  test('are those of one moment', async () => {
    const response = await ask('format=json', { fields: ['id'] })
    await deps.db.execute(sql`delete from entities.thing where id > 10`)
    expect(await response.json()).toHaveLength(20_003)
  })

  test('stop when the client leaves, and nothing stays occupied', async () => {
    for (let at = 0; at < 20; at++) {
      const format = ['csv', 'json', 'xlsx'][at % 3]
      const response = await ask(`format=${format}`)
      const reader = response.body?.getReader()
      await reader?.read()
      await reader?.cancel()
    }
    expect((await textOf('format=csv', { fields: ['id'] })).length).toBeGreaterThan(100_000)
    const left = sql`select 1 from pg_class where relname like 'copy\\_%' and relpersistence = 't'`
    expect(await rows(deps.db, left)).toEqual([])
  })

  test('break the response off when something fails in the middle', async () => {
    const copyOut: Deps['copyOut'] = async function* (query, signal) {
      let chunks = 0
      for await (const chunk of original(query, signal)) {
        if (chunks++ === 1) throw new Error('connection lost')
        yield chunk
      }
    }
    const original = deps.copyOut
    deps.copyOut = copyOut
    for (const format of ['csv', 'json', 'xlsx'])
      await expect((await ask(`format=${format}`)).arrayBuffer()).rejects.toThrow()
  })

  test('are refused while too many are being fetched', async () => {
    deps.settings = { ...deps.settings, DATABASE_POOL_SIZE: 2, QUEUE_WAIT_MS: 1 }
    const first = await ask('format=csv')
    const second = await ask('format=csv')
    expect(second.status).toBe(503)
    expect(second.headers.get('retry-after')).toBe('10')
    await first.body?.cancel()
    expect((await ask('format=csv')).status).toBe(200)
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
