import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { ask, deps, textOf } from './testing/things'

describe('many records', () => {
  beforeEach(async () => {
    await deps.db.execute(
      sql`insert into entities.thing (name, age) select repeat('n', 40) || g, g % 7 from generate_series(1, 8000) g`,
    )
  })

  test('stop when the client leaves, and nothing stays occupied', async () => {
    for (let at = 0; at < 20; at++) {
      const format = ['csv', 'json', 'xlsx'][at % 3]
      const response = await ask(`format=${format}`)
      const reader = response.body?.getReader()
      await reader?.read()
      await reader?.cancel()
    }
    expect((await textOf('format=csv', { fields: ['id'] })).split('\r\n')).toHaveLength(8_005)
    const left = sql`select 1 from pg_class where relname like 'copy\\_%' and relpersistence = 't'`
    expect(await rows(deps.db, left)).toEqual([])
  })
})
