import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import type { Deps } from '@/lib/deps'
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
