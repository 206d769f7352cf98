import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import type { JsonObject } from '@/lib/values/json'
import { above, deps, left, remove } from './testing/things'

describe('deletes', () => {
  test('what matches, on however many pages', async () => {
    const { status, body } = await remove({ entity: 'Thing', query: [above(4)] })
    expect(status).toBe(200)
    expect(body.data).toEqual([{ effected: 20 }])
    expect(body.meta).toEqual({})
    expect(await left()).toBe(5)
  })

  test('everything when there is no query', async () => {
    expect((await remove({ entity: 'Thing' })).body.data).toEqual([{ effected: 25 }])
    expect(await left()).toBe(0)
    expect((await remove({ entity: 'Thing' })).body.data).toEqual([{ effected: 0 }])
  })

  test('everything when the query has no conditions', async () => {
    expect((await remove({ entity: 'Thing', query: [] })).body.data).toEqual([{ effected: 25 }])
  })

  test('by the other name of a query', async () => {
    const { body } = await remove({ entity: 'Thing', filters: [above(23)] })
    expect(body.data).toEqual([{ effected: 1 }])
  })

  test('whatever other properties the body has', async () => {
    const others = { fields: ['nope'], pagination: { page: 0, size: 1 }, sort: 'x', limit: 1, x: 1 }
    const { body } = await remove({ entity: 'Thing', query: [above(19)], ...others })
    expect(body.data).toEqual([{ effected: 5 }])
  })

  test('by nested conditions', async () => {
    const filters = [above(2), { field: 'name', operator: 'eq', value: 'n0' }]
    const { body } = await remove({ entity: 'Thing', query: [{ operator: 'or', filters }] })
    expect(body.data).toEqual([{ effected: 23 }])
  })

  test('nothing in a dry run, which counts', async () => {
    const { body } = await remove({ entity: 'Thing', query: [above(4)] }, 'dryRun=true')
    expect(body).toMatchObject({ data: [{ effected: 20 }], meta: { dryRun: true } })
    expect((await remove({ entity: 'Thing' }, 'dryRun=true')).body.data).toEqual([{ effected: 25 }])
    expect(await left()).toBe(25)
  })

  test('the number expected', async () => {
    expect((await remove({ entity: 'Thing', query: [above(4)] }, 'expected=20')).status).toBe(200)
    expect((await remove({ entity: 'Thing' }, 'expected=5')).status).toBe(200)
    expect(await left()).toBe(0)
  })

  test('and notes who deleted how much by which query', async () => {
    await remove({ entity: 'Thing', query: [above(4)] })
    await remove({ entity: 'Thing' })
    await remove({ entity: 'Thing' }, 'dryRun=true')
    const noted = await rows<JsonObject>(
      deps.db,
      sql`select actor_type, action, object_type, details, request_id is not null as requested
          from engine.audit_log order by id`,
    )
    const entry = { actor_type: 'api_key', action: 'records.delete', object_type: 'Thing' }
    expect(noted).toEqual([
      { ...entry, details: { count: 20, query: [above(4)] }, requested: true },
      { ...entry, details: { count: 5, query: [] }, requested: true },
    ])
  })

  test('continue the counters of keys', async () => {
    await remove({ entity: 'Thing' })
    const query = sql`insert into entities.thing (name) values ('next') returning id::int as id`
    expect(one(await rows<{ id: number }>(deps.db, query)).id).toBe(26)
  })
})

test('concurrent deletions and writers: every record is counted once or is still there', async () => {
  const write = (index: number) =>
    deps.db.execute(sql`insert into entities.thing (name) values (${`new${index}`})`)
  const responses = await Promise.all(
    Array.from({ length: 24 }, async (_, index) => {
      if (index % 3 > 0) await write(index)
      else return remove(index % 2 ? { entity: 'Thing' } : { entity: 'Thing', query: [above(0)] })
    }),
  )
  const removed = responses.flatMap((response) => response?.body.data[0].effected ?? [])
  const sum = removed.reduce((total: number, count: number) => total + count, 0)
  expect(sum + (await left())).toBe(25 + 16)
})
