import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { one, rows } from '@/lib/db/rows'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { DELETE } from './route'

const deps = freshDeps()
let headers: Record<string, string>

const properties = [
  { name: 'name', type: 'string' },
  { name: 'age', type: 'integer' },
]

beforeEach(async () => {
  const records = Array.from({ length: 25 }, (_, index) => ({ name: `n${index}`, age: index }))
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema: { properties } }, records)
  headers = { authorization: `Bearer ${await testKey(deps, ['EDITOR'])}` }
})

const remove = (body: unknown, query = '', entityName = 'Thing') =>
  call(deps, DELETE, {
    method: 'DELETE',
    path: `/api/entities/${entityName}/batch?${query}`,
    params: { entityName },
    headers,
    body,
  })

async function left(table = 'thing'): Promise<number> {
  const query = sql`select count(*)::int as n from entities.${sql.identifier(table)}`
  return one(await rows<{ n: number }>(deps.db, query)).n
}

const above = (value: number) => ({ field: 'age', operator: 'gt', value })

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

describe('records that others refer to', () => {
  beforeEach(async () => {
    await installTestEntity(
      deps,
      {
        entity: { name: 'Part' },
        schema: {
          properties: [
            { name: 'thing', type: 'integer', reference: { entity: 'Thing', field: 'id' } },
          ],
        },
      },
      [{ thing: 3 }],
    )
  })

  test('stay, and so does everything else that matched', async () => {
    for (const body of [{ entity: 'Thing' }, { entity: 'Thing', query: [above(-1)] }]) {
      const { status, body: response } = await remove(body)
      expect(status).toBe(409)
      expect(response.error).toContain('"Part"')
    }
    expect(await left()).toBe(25)
    const audited = await rows(deps.db, sql`select 1 from engine.audit_log`)
    expect(audited).toEqual([])
  })

  test('are listed by the dry run and the refusal, with the number of references', async () => {
    const blockedBy = [{ entity: 'Part', field: 'thing', count: 1 }]
    for (const body of [{ entity: 'Thing' }, { entity: 'Thing', query: [above(1)] }]) {
      const tried = await remove(body, 'dryRun=true')
      expect(tried.body.meta).toEqual({ dryRun: true, blockedBy })
      const refused = await remove(body)
      expect(refused.body).toMatchObject({ code: 409, meta: { blockedBy } })
      expect(refused.body.error).toContain('1 record of "Part" (by "thing")')
    }
    const free = await remove({ entity: 'Thing', query: [above(2)] }, 'dryRun=true')
    expect(free.body).toMatchObject({ data: [{ effected: 22 }], meta: { dryRun: true } })
    expect(free.body.meta).toEqual({ dryRun: true })
  })

  test('of their own entity only block when they stay', async () => {
    const properties = [
      { name: 'parent', type: 'integer', reference: { entity: 'Node', field: 'id' } },
    ]
    await installTestEntity(deps, { entity: { name: 'Node' }, schema: { properties } }, [
      {},
      { parent: 1 },
      { parent: 1 },
    ])
    const node = (query: object[], parameters = '') =>
      remove({ entity: 'Node', query }, parameters, 'Node')
    const root = [{ field: 'id', operator: 'lte', value: 2 }]
    expect((await node(root, 'dryRun=true')).body.meta).toEqual({
      dryRun: true,
      blockedBy: [{ entity: 'Node', field: 'parent', count: 1 }],
    })
    expect((await node(root)).status).toBe(409)
    expect((await node([], 'dryRun=true')).body.meta).toEqual({ dryRun: true })
    expect((await node([])).body.data).toEqual([{ effected: 3 }])
  })

  test('include none without references', async () => {
    expect((await remove({ entity: 'Thing', query: [above(2)] })).body.data).toEqual([
      { effected: 22 },
    ])
    await remove({ entity: 'Part' }, '', 'Part')
    expect(await left('part')).toBe(0)
    expect((await remove({ entity: 'Thing' })).body.data).toEqual([{ effected: 3 }])
  })
})

describe('refuses and deletes nothing', () => {
  const query = [above(4)]
  test.each<[name: string, status: number, body: unknown, query: string, error: RegExp]>([
    ['no body', 400, undefined, '', /JSON body/],
    ['no entity', 400, { query }, '', /entity/],
    ['another entity', 400, { entity: 'thing', query }, '', /"Thing"/],
    ['an entity that is no text', 400, { entity: 1, query }, '', /entity/],
    ['a query that is no list', 400, { entity: 'Thing', query: {} }, '', /query/],
    ['a query that is null', 400, { entity: 'Thing', query: null }, '', /query/],
    ['two queries', 400, { entity: 'Thing', query, filters: query }, '', /filters/],
    [
      'an unknown field',
      400,
      { entity: 'Thing', query: [...query, { field: 'agee', operator: 'eq', value: 1 }] },
      '',
      /"age"/,
    ],
    [
      'an unknown operator',
      400,
      { entity: 'Thing', query: [{ field: 'age', operator: 'equal', value: 1 }] },
      '',
      /operator/,
    ],
    [
      'a bad value',
      400,
      { entity: 'Thing', query: [{ field: 'age', operator: 'gt', value: 'x' }] },
      '',
      /"x"/,
    ],
    ['another number', 409, { entity: 'Thing', query }, 'expected=19', /20.*19/],
    ['another number of all', 409, { entity: 'Thing' }, 'expected=24', /25.*24/],
    ['another number in a dry run', 409, { entity: 'Thing' }, 'expected=24&dryRun=true', /25.*24/],
    ['a number that is none', 400, { entity: 'Thing', query }, 'expected=x', /whole/],
    ['a dry run that is none', 400, { entity: 'Thing', query }, 'dryRun=perhaps', /true or false/],
    ['an unknown parameter', 400, { entity: 'Thing', query }, 'dryrun=true', /"dryRun"/],
  ])('%s', async (_, status, body, parameters, error) => {
    const response = await remove(body, parameters)
    expect(response.status).toBe(status)
    expect(response.body.error).toMatch(error)
    expect(await left()).toBe(25)
  })

  test('an unknown entity', async () => {
    expect((await remove({ entity: 'Thingg' }, '', 'Thingg')).status).toBe(404)
  })

  test('an entity that forbids it', async () => {
    const entity = { name: 'Kept', permissions: { delete: false } }
    await installTestEntity(deps, { entity }, [{ id: 1 }])
    expect((await remove({ entity: 'Kept' }, '', 'Kept')).status).toBe(403)
    expect(await left('kept')).toBe(1)
  })

  test('a system entity, which is read-only', async () => {
    const { status, headers } = await remove({ entity: 'EngineUsers' }, '', 'EngineUsers')
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe('OPTIONS')
  })

  test.each([
    ['a caller without a credential', 401, undefined],
    ['a reader', 403, 'VIEWER'],
    ['a stranger', 403, 'GUEST'],
  ])('%s', async (_, status, as) => {
    const asked = { method: 'DELETE', path: '/', params: { entityName: 'Thing' } }
    expect((await call(deps, DELETE, { ...asked, as, body: { entity: 'Thing' } })).status).toBe(
      status,
    )
    expect(await left()).toBe(25)
  })
})
