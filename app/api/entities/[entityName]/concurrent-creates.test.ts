import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { attachLayers } from '@/lib/around'
import { one, rows } from '@/lib/db/sql'
import { createTogether } from '@/lib/layers/create-together'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import * as entityRoute from './route'

const deps = freshDeps()
let headers: Record<string, string>

const PROPERTIES = [
  { name: 'name', type: 'string', meta: { required: true } },
  { name: 'code', type: 'string', meta: { unique: true } },
]

beforeEach(async () => {
  headers = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
})

const tags = (strategy: string, properties: object[] = PROPERTIES) => {
  const type = strategy === 'UUID' ? 'string' : 'number'
  return {
    entity: {
      name: 'Tag',
      pks: [{ key: 'id', strategy, type }],
      auditable: true,
      distribution: 'local',
    },
    schema: { properties },
  }
}

const create = (body: object, more: Record<string, string> = {}) =>
  call(deps, entityRoute.POST, {
    method: 'POST',
    path: '/api/entities/Tag',
    params: { entityName: 'Tag' },
    headers: { ...headers, ...more },
    body,
  })

const ids = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

type Written = { name: string; persistenceId: string; CreatedBy: string }
const stored = () =>
  rows<{ id: string; name: string }>(deps.db, sql`select id::text, name from entities.tag`)

/** The number of transactions that wrote the records. */
const transactions = async () =>
  one(
    await rows<{ n: number }>(
      deps.db,
      sql`select count(distinct xmin::text)::int as n from entities.tag`,
    ),
  ).n

describe.each(['AutoIncrement', 'UUID'])('with keys by %s', (strategy) => {
  beforeEach(async () => {
    await installTestEntity(deps, tags(strategy))
  })

  test.each([
    ['share statements', [createTogether]],
    ['have a statement each without that layer', []],
  ])('creates at the same time %s, and each gets its own record', async (_, layers) => {
    deps.layers = attachLayers(layers)
    const created = await Promise.all(
      ids(40).map((n) => create({ name: `tag ${n}`, code: `c${n}` })),
    )
    expect(created.map(({ status }) => status)).toEqual(ids(40).map(() => 201))
    const records: Written[] = created.map(({ body }) => body.data[0])
    expect(records.map(({ name }) => name)).toEqual(ids(40).map((n) => `tag ${n}`))
    expect(records.every(({ CreatedBy }) => CreatedBy === 'test')).toBe(true)
    const byId = new Map((await stored()).map(({ id, name }) => [id, name]))
    for (const { persistenceId, name } of records) expect(byId.get(persistenceId)).toBe(name)
    expect(byId.size).toBe(40)
    if (layers.length > 0) expect(await transactions()).toBeLessThan(40)
    else expect(await transactions()).toBe(40)
  })

  test('each is in the audit log with its own id and request', async () => {
    const created = await Promise.all(ids(10).map((n) => create({ name: `tag ${n}` })))
    const entries = await rows<{ id: string; request: string; details: object }>(
      deps.db,
      sql`select object_id as id, request_id as request, details from engine.audit_log where action = 'records.create'`,
    )
    const expected = created.map(({ body, headers: sent }) => ({
      id: body.data[0].persistenceId,
      request: sent.get('x-request-id'),
      details: { created: 1, updated: 0, unchanged: 0, failed: 0 },
    }))
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
    expect(entries.sort(byId)).toEqual(expected.sort(byId))
  })

  test('a conflict fails the record at fault, and no other', async () => {
    await create({ name: 'first', code: 'taken' })
    const codes = ['a', 'taken', 'b', 'c', 'b']
    const created = await Promise.all(codes.map((code) => create({ name: `tag ${code}`, code })))
    const statuses = created.map(({ status }) => status)
    expect([statuses[0], statuses[1], statuses[3]]).toEqual([201, 409, 201])
    expect([statuses[2], statuses[4]].sort()).toEqual([201, 409])
    expect(await stored()).toHaveLength(4)
  })

  test('faults are found for each record before', async () => {
    const created = await Promise.all([
      create({ name: 'a' }),
      create({ code: 'x' }),
      create({ name: 'b' }),
    ])
    expect(created.map(({ status }) => status)).toEqual([201, 400, 201])
  })

  test('records of several callers are each their own', async () => {
    const other = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
    await Promise.all(ids(12).map((n) => create({ name: `tag ${n}` }, n % 2 ? {} : other)))
    const entries = await rows<{ n: number }>(
      deps.db,
      sql`select count(*)::int as n from engine.audit_log where action = 'records.create' group by actor_id`,
    )
    expect(entries).toEqual([{ n: 6 }, { n: 6 }])
  })

  test('a definition that changes meanwhile is followed', async () => {
    await create({ name: 'first' })
    const shorter = { name: 'name', type: 'string', meta: { required: true, maxLength: 6 } }
    // The message about the change gets lost.
    const bus = { ...deps.bus, publish: async () => {} }
    await installTestEntity({ ...deps, bus }, tags(strategy, [shorter]))
    const created = await Promise.all(
      ['short', 'much longer', 'brief'].map((name) => create({ name })),
    )
    expect(created.map(({ status }) => status)).toEqual([201, 400, 201])
  })
})
