import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { DELETE as DELETE_ONE } from '@/app/api/entities/[entityName]/[id]/route'
import { DELETE } from '@/app/api/entities/[entityName]/batch/route'
import { rows } from '@/lib/db/rows'
import { trashBatches } from '@/lib/db/schema'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { emptyTrash } from '@/lib/trash/empty-trash'
import type { JsonObject } from '@/lib/values/json'
import { POST } from './[batchId]/restore/route'
import { GET as GET_ONE } from './[batchId]/route'
import { GET } from './route'

const deps = freshDeps()
let headers: Record<string, string>

const properties = [
  { name: 'name', type: 'string', unique: true },
  { name: 'age', type: 'integer' },
  { name: 'price', type: 'decimal' },
  { name: 'ratio', type: 'double' },
  { name: 'day', type: 'date' },
  { name: 'at', type: 'datetime' },
  { name: 'tags', type: 'array' },
]
const entity = { name: 'Thing', auditable: true }
const records = [
  {
    name: 'a',
    age: 1,
    price: '12345678901234567890.10',
    ratio: 0.1,
    day: '2024-02-29',
    at: '2024-02-29T12:00:00.123Z',
    tags: ['x', { y: null }],
    CreatedAt: '2020-01-01T00:00:00.000Z',
    CreatedBy: 'somebody',
    undeclared: { deep: [1, '2'] },
  },
  { name: 'b', age: 2 },
  { name: 'c' },
]

beforeEach(async () => {
  await installTestEntity(deps, { entity, schema: { properties } }, records)
  headers = { authorization: `Bearer ${await testKey(deps, ['EDITOR'])}` }
})

const remove = (body: object, query = 'undo=7d', entityName = 'Thing') =>
  call(deps, DELETE, {
    method: 'DELETE',
    path: `/api/entities/${entityName}/batch?${query}`,
    params: { entityName },
    headers,
    body: { entity: entityName, ...body },
  })

const removed = async (body: object = {}, entityName = 'Thing'): Promise<string> =>
  (await remove(body, 'undo=7d', entityName)).body.meta.batchId

const restore = (batchId: string, as?: Record<string, string>) =>
  call(deps, POST, {
    method: 'POST',
    path: `/api/trash/${batchId}/restore`,
    params: { batchId },
    headers: as ?? headers,
  })

const list = (query = '', as = headers) =>
  call(deps, GET, { path: `/api/trash?${query}`, headers: as })

const look = (batchId: string) =>
  call(deps, GET_ONE, { path: `/api/trash/${batchId}`, params: { batchId }, headers })

const stored = (table = 'thing') =>
  rows<{ text: string }>(
    deps.db,
    sql`select to_jsonb(t)::text as text from entities.${sql.identifier(table)} as t order by id`,
  )

const run = (statement: string) => deps.db.execute(sql.raw(statement))

describe('a deletion that can be undone', () => {
  test('is restored exactly, and is then out of the trash', async () => {
    const before = await stored()
    const { status, body } = await remove({})
    expect(status).toBe(200)
    expect(body.data).toEqual([{ effected: 3 }])
    expect(await stored()).toEqual([])
    const response = await restore(body.meta.batchId)
    expect(response.status).toBe(200)
    expect(response.body.data).toEqual([{ restored: 3, conflicts: [] }])
    expect(await stored()).toEqual(before)
    expect((await list()).body.data).toEqual([])
    expect((await restore(body.meta.batchId)).status).toBe(404)
    expect(await rows(deps.db, sql`select 1 from engine.trash_records`)).toEqual([])
  })

  test('takes what matches only', async () => {
    const query = [{ field: 'age', operator: 'gte', value: 1 }]
    const batchId = await removed({ query })
    expect(await stored()).toHaveLength(1)
    expect((await restore(batchId)).body.data).toEqual([{ restored: 2, conflicts: [] }])
  })

  test('may be of one record', async () => {
    const { body } = await call(deps, DELETE_ONE, {
      method: 'DELETE',
      path: '/api/entities/Thing/1?undo=1d',
      params: { entityName: 'Thing', id: '1' },
      headers,
    })
    expect(body).toMatchObject({ data: [{ effected: 1 }], meta: { batchId: expect.any(String) } })
    expect(await stored()).toHaveLength(2)
    expect((await restore(body.meta.batchId)).body.data).toEqual([{ restored: 1, conflicts: [] }])
    expect(await stored()).toHaveLength(3)
  })

  test('continues the counters of keys', async () => {
    await restore(await removed())
    await run(`insert into entities.thing (name) values ('next')`)
    expect((await stored()).at(-1)?.text).toContain('"id": 4')
  })

  test('counts on after restored keys where the counter was lost', async () => {
    const batchId = await removed()
    await run('alter table entities.thing alter column id restart')
    await restore(batchId)
    await run(`insert into entities.thing (name) values ('next')`)
    expect((await stored()).at(-1)?.text).toContain('"id": 4')
  })

  test('leaves nothing when nothing matched, or when it is refused', async () => {
    const query = [{ field: 'age', operator: 'gt', value: 99 }]
    expect((await remove({ query })).body).toMatchObject({
      data: [{ effected: 0 }],
      meta: { batchId: null },
    })
    expect((await remove({}, 'undo=7d&expected=2')).status).toBe(409)
    expect((await remove({}, 'undo=7d&dryRun=true')).body.meta).toEqual({ dryRun: true })
    expect((await list()).body.data).toEqual([])
    expect(await stored()).toHaveLength(3)
  })

  test.each(['0d', '31d', '7', '7h', '-1d', 'd', '1e1d'])('does not take %s', async (undo) => {
    const { status, body } = await remove({}, `undo=${undo}`)
    expect(status).toBe(400)
    expect(body.validations[0].field).toBe('undo')
    expect(await stored()).toHaveLength(3)
  })

  test('is noted, and so is its restoring', async () => {
    const batchId = await removed()
    await restore(batchId)
    const noted = await rows<JsonObject>(
      deps.db,
      sql`select action, object_type, details from engine.audit_log order by id`,
    )
    expect(noted).toEqual([
      {
        action: 'records.delete',
        object_type: 'Thing',
        details: { count: 3, query: [], batchId, undoDays: 7 },
      },
      {
        action: 'records.restore',
        object_type: 'Thing',
        details: { batchId, restored: 3, conflicts: 0 },
      },
    ])
  })
})

describe('records that cannot be restored', () => {
  test('is named with all digits of its key and values', async () => {
    const number = '9007199254740993'
    const pks = [{ key: 'code', strategy: 'Fixed', type: 'number' }]
    const properties = [
      { name: 'code', type: 'bigint' },
      { name: 'price', type: 'decimal', unique: true },
    ]
    await installTestEntity(deps, { entity: { name: 'Coin', pks }, schema: { properties } })
    await run(`insert into entities.coin (code, price) values (${number}, 1), (1, ${number}.25)`)
    const batchId = await removed({}, 'Coin')
    await run(`insert into entities.coin (code, price) values (${number}, 2), (2, ${number}.25)`)
    for (const { text } of [await restore(batchId), await look(batchId)]) {
      expect(text).toContain(`"key":${number},"reason":"key-taken"`)
      expect(text).toContain(`= ${number} is taken again`)
      expect(text).toContain(`another record has ${number}.25 now`)
    }
  })

  test('stays in the trash with its reason, and the rest is restored', async () => {
    const batchId = await removed()
    await run(`insert into entities.thing (id, name) values (1, 'z'), (77, 'b')`)
    const { body } = await restore(batchId)
    expect(body.data).toEqual([
      {
        restored: 1,
        conflicts: [
          { key: 1, reason: 'key-taken', fields: ['id'], message: expect.stringMatching(/taken/) },
          {
            key: 2,
            reason: 'unique-taken',
            fields: ['name'],
            message: expect.stringMatching(/"b"/),
          },
        ],
      },
    ])
    expect((await look(batchId)).body.data).toEqual([
      expect.objectContaining({ count: 2, conflicts: body.data[0].conflicts }),
    ])
    await run('delete from entities.thing where id in (1, 77)')
    expect((await restore(batchId)).body.data).toEqual([{ restored: 2, conflicts: [] }])
    expect(await stored()).toHaveLength(3)
  })

  test('is named with what it refers to when that is gone', async () => {
    const country = {
      entity: { name: 'Country', pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }] },
    }
    await installTestEntity(deps, country, [{ code: 'IT' }, { code: 'AT' }])
    const reference = { entity: 'Country', field: 'code' }
    const schema = { properties: [{ name: 'country', type: 'string', meta: { reference } }] }
    await installTestEntity(deps, { entity: { name: 'City' }, schema }, [
      { country: 'IT' },
      { country: 'AT' },
      {},
    ])
    const batchId = await removed({}, 'City')
    await run(`delete from entities.country where code = 'AT'`)
    expect((await restore(batchId)).body.data).toMatchObject([
      { restored: 2, conflicts: [{ key: 2, reason: 'reference-gone', fields: ['country'] }] },
    ])
  })

  test('takes along what refers to it', async () => {
    const reference = { entity: 'Node', field: 'id' }
    const schema = { properties: [{ name: 'parent', type: 'bigint', meta: { reference } }] }
    await installTestEntity(deps, { entity: { name: 'Node' }, schema })
    await run('insert into entities.node (id, parent) values (1, null), (2, 1), (3, 2), (4, null)')
    const whole = await removed({}, 'Node')
    expect((await restore(whole)).body.data).toEqual([{ restored: 4, conflicts: [] }])
    const batchId = await removed({}, 'Node')
    await run('insert into entities.node (id, parent) values (2, null)')
    expect((await restore(batchId)).body.data).toMatchObject([
      { restored: 3, conflicts: [{ key: 2, reason: 'key-taken' }] },
    ])
  })
})

describe('an entity that was changed since', () => {
  const change = (changed: object[], more: object = {}) =>
    installTestEntity(deps, { entity, schema: { properties: changed, ...more } })

  test('gets values in its new types, defaults, and fields that were undeclared', async () => {
    const batchId = await removed()
    await change([
      { name: 'name', type: 'string', unique: true },
      { name: 'age', type: 'string' },
      { name: 'undeclared', type: 'object' },
      { name: 'level', type: 'integer', required: true, default: 5 },
    ])
    expect((await restore(batchId)).body.data).toEqual([{ restored: 3, conflicts: [] }])
    const found = await rows<JsonObject>(
      deps.db,
      sql`select age, undeclared, level::int, price::text, "$extra" as extra from entities.thing order by id`,
    )
    expect(found).toEqual([
      {
        age: '1',
        undeclared: { deep: [1, '2'] },
        level: 5,
        price: '12345678901234567890.10',
        extra: null,
      },
      { age: '2', undeclared: null, level: 5, price: null, extra: null },
      { age: null, undeclared: null, level: 5, price: null, extra: null },
    ])
  })

  test('leaves values that do not fit its types', async () => {
    const batchId = await removed()
    await change([{ name: 'name', type: 'integer' }])
    await run(
      `update engine.trash_records set data = data || '{"name": "007"}' where data ->> 'id' = '3'`,
    )
    const { body } = await restore(batchId)
    expect(body.data[0].restored).toBe(1)
    expect(body.data[0].conflicts).toMatchObject([
      { key: 1, reason: 'does-not-fit', fields: ['name'] },
      { key: 2, reason: 'does-not-fit', fields: ['name'] },
    ])
    expect((await stored())[0]?.text).toContain('"name": 7')
  })

  test('leaves values that break its new rules', async () => {
    const batchId = await removed()
    await change([
      { name: 'name', type: 'string', meta: { pattern: '^[a-b]$' } },
      { name: 'age', type: 'integer', meta: { min: 2 } },
    ])
    expect((await restore(batchId)).body.data).toMatchObject([
      {
        restored: 1,
        conflicts: [
          { key: 1, reason: 'does-not-fit', fields: ['age'] },
          { key: 3, reason: 'does-not-fit', fields: ['name'] },
        ],
      },
    ])
  })

  test('leaves what lacks a required value, has undeclared fields or repeats a unique one', async () => {
    await run('update entities.thing set age = 2')
    const batchId = await removed()
    await change(
      [
        { name: 'name', type: 'string' },
        { name: 'age', type: 'integer', unique: true },
        { name: 'day', type: 'date' },
      ],
      { additionalProperties: false },
    )
    expect((await restore(batchId)).body.data).toMatchObject([
      {
        restored: 1,
        conflicts: [
          { key: 1, reason: 'does-not-fit', fields: ['$extra'] },
          { key: 3, reason: 'unique-taken', fields: ['age'] },
        ],
      },
    ])
  })
})

describe('the trash', () => {
  test('lists its batches, the last deletion first, by pages', async () => {
    await removed({ query: [{ field: 'age', operator: 'eq', value: 1 }] })
    const batchId = await removed()
    const { body } = await list('size=1')
    expect(body.pagination).toMatchObject({ total: 2, pages: 2, first: true, last: false })
    expect(body.data).toEqual([
      {
        batchId,
        entity: 'Thing',
        count: 2,
        deletedBy: 'test',
        deletedAt: expect.stringMatching(/Z$/),
        expiresAt: expect.stringMatching(/Z$/),
      },
    ])
    const { deletedAt, expiresAt } = body.data[0]
    const days = (Date.parse(expiresAt) - Date.parse(deletedAt)) / 86_400_000
    expect(days).toBeCloseTo(7, 3)
    expect((await list('entity=Other')).body.data).toEqual([])
    expect((await list('nonsense=1')).status).toBe(400)
  })

  test('is emptied of what has expired, which is noted', async () => {
    const batchId = await removed({ query: [{ field: 'age', operator: 'eq', value: 1 }] })
    const kept = await removed()
    await deps.db
      .update(trashBatches)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(sql`id = ${batchId}::uuid`)
    expect((await restore(batchId)).status).toBe(404)
    expect((await look(batchId)).status).toBe(404)
    expect((await list()).body.data).toHaveLength(1)
    await emptyTrash(deps)
    const left = await rows(deps.db, sql`select distinct batch_id from engine.trash_records`)
    expect(left).toEqual([{ batch_id: kept }])
    const noted = sql`select actor_type from engine.audit_log where action = 'trash.empty'`
    expect(await rows(deps.db, noted)).toEqual([{ actor_type: 'system' }])
  })

  test('restores once for any number of concurrent requests', async () => {
    const batchId = await removed()
    const responses = await Promise.all([restore(batchId), restore(batchId), restore(batchId)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    expect(await stored()).toHaveLength(3)
  })

  test.each([
    ['a caller without a credential', 401, undefined],
    ['a reader', 403, 'VIEWER'],
    ['who may delete and not write', 403, ['Thing:delete']],
    ['who may write and not delete', 403, ['Thing:write']],
    ['who may do both', 200, ['Thing:delete', 'Thing:write']],
  ])('restores for %s: %i', async (_, status, rights) => {
    const batchId = await removed()
    const scopes = Array.isArray(rights) ? rights : null
    const role = Array.isArray(rights) ? 'ADMIN' : rights
    const as: Record<string, string> = role
      ? { authorization: `Bearer ${await testKey(deps, [role], scopes)}` }
      : {}
    expect((await restore(batchId, as)).status).toBe(status)
    if (status === 403)
      expect((await list('', as)).body.data).toHaveLength(scopes?.[0] === 'Thing:delete' ? 1 : 0)
  })

  test.each(['x', crypto.randomUUID()])('has no %s', async (id) => {
    expect((await restore(id)).status).toBe(404)
    expect((await look(id)).status).toBe(404)
  })
})
