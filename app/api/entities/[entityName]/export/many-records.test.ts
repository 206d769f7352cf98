import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { ask, deps, textOf } from './testing/things'

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
})
