import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { deps, textOf } from './testing/things'

describe('CSV', () => {
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
})

const only = (id: number) => ({ field: 'id', operator: 'eq', value: id })
