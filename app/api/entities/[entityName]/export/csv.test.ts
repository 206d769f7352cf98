import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { ask, deps, textOf } from './testing/things'

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
