import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { attachLayers } from '@/lib/around'
import { rows } from '@/lib/db/sql'
import { changeTogether } from '@/lib/layers/change-together'
import { deleteTogether } from '@/lib/layers/delete-together'
import { freshDeps, testsOnPostgres } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import * as historyRoute from './[id]/history/route'
import * as one from './[id]/route'
import * as entityRoute from './route'

const deps = freshDeps()
let headers: Record<string, string>

const PROPERTIES = [
  { name: 'id', type: 'bigint' },
  { name: 'name', type: 'string', meta: { required: true } },
  { name: 'code', type: 'string', meta: { unique: true } },
  { name: 'count', type: 'integer' },
]

const tags = (more: object = {}, properties: object[] = PROPERTIES) => ({
  entity: {
    name: 'Tag',
    pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }],
    auditable: true,
    distribution: 'local',
    ...more,
  },
  schema: { properties },
})

const ids = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
const records = ids(40).map((id) => ({ id, name: `tag ${id}`, code: `c${id}` }))

beforeEach(async () => {
  headers = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
  await installTestEntity(deps, tags(), records)
})

const HANDLERS = { PATCH: one.PATCH, PUT: one.PUT, DELETE: one.DELETE }
const send = (
  method: keyof typeof HANDLERS,
  id: number,
  body?: object,
  more: Record<string, string> = {},
) =>
  call(deps, HANDLERS[method], {
    method,
    path: `/api/entities/Tag/${id}`,
    params: { entityName: 'Tag', id: String(id) },
    headers: { ...headers, ...more },
    ...(body ? { body } : {}),
  })

const stored = () =>
  rows<{ id: number; name: string; count: number | null; version: string }>(
    deps.db,
    sql`select id::int, name, count::int, xmin::text as version from entities.tag order by id`,
  )

const audit = (action: string) =>
  rows<{ id: string; request: string; details: object }>(
    deps.db,
    sql`select object_id as id, request_id as request, details from engine.audit_log
      where action = ${action} order by object_id::int, id`,
  )

const transactions = async () => new Set((await stored()).map(({ version }) => version)).size

test.each([
  ['share statements', [changeTogether]],
  ['have a statement each without that layer', []],
])('changes at the same time %s, and each gets its own record', async (_, layers) => {
  deps.layers = attachLayers(layers)
  const changed = await Promise.all(ids(40).map((id) => send('PATCH', id, { count: id * 2 })))
  expect(changed.map(({ status }) => status)).toEqual(ids(40).map(() => 200))
  expect(changed.map(({ body }) => [body.data[0].id, body.data[0].count])).toEqual(
    ids(40).map((id) => [id, id * 2]),
  )
  expect((await stored()).map(({ count }) => count)).toEqual(ids(40).map((id) => id * 2))
  if (layers.length > 0) expect(await transactions()).toBeLessThan(40)
  else expect(await transactions()).toBe(40)
  expect(await audit('records.update')).toEqual(
    changed.map(({ headers: sent }, at) => ({
      id: String(at + 1),
      request: sent.get('x-request-id'),
      details: {
        changed: expect.objectContaining({ count: { before: null, after: (at + 1) * 2 } }),
      },
    })),
  )
})

test('a record that has the values already keeps its version, and its request is recorded', async () => {
  const before = await stored()
  const changed = await Promise.all(
    ids(10).map((id) => send('PATCH', id, { name: id % 2 ? `tag ${id}` : 'new' })),
  )
  expect(changed.map(({ body }) => body.data[0].name)).toEqual(
    ids(10).map((id) => (id % 2 ? `tag ${id}` : 'new')),
  )
  const after = await stored()
  const isSame = ids(10).map((id) => after[id - 1]?.version === before[id - 1]?.version)
  expect(isSame).toEqual(ids(10).map((id) => id % 2 === 1))
  const entries = await audit('records.update')
  expect(entries.map(({ details }) => 'name' in (details as { changed: object }).changed)).toEqual(
    isSame.map((same) => !same),
  )
})

test('changes of one record are not merged: each is recorded, as the one before left it', async () => {
  const names = ids(12).map((n) => `name ${n}`)
  const changed = await Promise.all(
    names.flatMap((name, n) => [send('PATCH', 1, { name }), send('PATCH', n + 2, { name })]),
  )
  expect(changed.every(({ status }) => status === 200)).toBe(true)
  const entries = (await audit('records.update')).filter(({ id }) => id === '1')
  expect(entries).toHaveLength(12)
  const steps = entries.map(
    ({ details }) =>
      (details as { changed: { name: { before: string; after: string } } }).changed.name,
  )
  const followed = steps.map(({ before }) => before)
  const [last] = (await stored()).map(({ name }) => name)
  expect([...followed, last].sort()).toEqual(['tag 1', ...names].sort())
})

test('a fault fails the change at fault, and no other', async () => {
  const codes = ['a', 'c40', 'b', 'c', 'b']
  const changed = await Promise.all([
    ...codes.map((code, at) => send('PATCH', at + 1, { code })),
    send('PATCH', 77, { code: 'x' }),
    send('PATCH', 6, { code: 'y', count: 'many' }),
  ])
  const statuses = changed.map(({ status }) => status)
  expect([statuses[0], statuses[1], statuses[3]]).toEqual([200, 409, 200])
  expect([statuses[2], statuses[4]].sort()).toEqual([200, 409])
  expect(statuses.slice(5)).toEqual([404, 400])
})

test('only the versions that If-Match names are changed, each by its own', async () => {
  const read = await Promise.all(ids(6).map((id) => send('PATCH', id, {})))
  const changed = await Promise.all(
    ids(6).map((id) => {
      const etag = read[id % 2 ? id - 1 : 0]?.headers.get('etag') ?? ''
      return send('PATCH', id, { count: 1 }, { 'if-match': etag })
    }),
  )
  expect(changed.map(({ status }) => status)).toEqual([200, 412, 200, 412, 200, 412])
})

// The embedded database has one connection.
test.runIf(testsOnPostgres()).each([
  ['changes', (id: number) => send('PATCH', id, { count: id })],
  ['deletions', (id: number) => send('DELETE', id)],
])('%s of records that another transaction has locked hold up no other', async (_, write) => {
  deps.layers = attachLayers([changeTogether, deleteTogether])
  await write(40)
  const waiting = await deps.db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from entities.tag where id = 30 for update`)
    const all = ids(30).map(write)
    const done = await Promise.all(all.slice(0, -1))
    expect(done.every(({ status }) => status === 200)).toBe(true)
    const shared = sql`select count(distinct xmin::text)::int as n from engine.audit_log where action like 'records.%'`
    expect((await rows<{ n: number }>(tx, shared))[0]?.n).toBeLessThan(29)
    return { locked: all.at(-1) }
  })
  expect((await waiting.locked)?.status).toBe(200)
})

test('replacements empty what they leave out, each in its own record', async () => {
  await installTestEntity(deps, tags({ updateStrategy: 'Replace' }))
  const replaced = await Promise.all(ids(10).map((id) => send('PUT', id, { name: `new ${id}` })))
  expect(replaced.map(({ body }) => [body.data[0].name, body.data[0].code])).toEqual(
    ids(10).map((id) => [`new ${id}`, null]),
  )
})

test.each([
  ['share statements', [deleteTogether]],
  ['have a statement each without that layer', []],
])('deletions at the same time %s', async (_, layers) => {
  deps.layers = attachLayers(layers)
  const deleted = await Promise.all([...ids(20), 77, 3].map((id) => send('DELETE', id)))
  const statuses = deleted.map(({ status }) => status)
  expect(statuses.slice(0, 21).filter((status) => status === 404)).toHaveLength(
    statuses[2] === 200 ? 1 : 2,
  )
  expect([statuses[2], statuses[21]].sort()).toEqual([200, 404])
  expect(statuses[20]).toBe(404)
  expect((await stored()).map(({ id }) => id)).toEqual(ids(40).slice(20))
  const entries = await audit('records.delete')
  expect(entries.map(({ id }) => Number(id))).toEqual(ids(20))
  expect(new Set(entries.map(({ request }) => request)).size).toBe(20)
})

describe('with a history', () => {
  beforeEach(async () => {
    await installTestEntity(deps, tags({ history: true }))
  })

  const versions = async (id: number) =>
    (
      await call(deps, historyRoute.GET, {
        method: 'GET',
        path: `/api/entities/Tag/${id}/history`,
        params: { entityName: 'Tag', id: String(id) },
        headers,
      })
    ).body.data as { kind: string; action: string; by: { name: string } }[]

  test('each version has its own change and author', async () => {
    await Promise.all(ids(10).map((id) => send('PATCH', id, { count: id })))
    for (const id of ids(10))
      expect((await versions(id))[0]).toMatchObject({
        kind: 'update',
        action: 'records.update',
        by: { name: 'test' },
      })
  })
})

test('a definition that changes meanwhile is followed', async () => {
  await send('PATCH', 1, { name: 'first' })
  const shorter = { name: 'name', type: 'string', meta: { required: true, maxLength: 6 } }
  // The message about the change gets lost.
  const bus = { ...deps.bus, publish: async () => {} }
  await installTestEntity(
    { ...deps, bus },
    tags({}, [PROPERTIES[0] ?? {}, shorter, ...PROPERTIES.slice(2)]),
  )
  const changed = await Promise.all(
    ['short', 'much longer', 'brief'].map((name, at) => send('PATCH', at + 1, { name })),
  )
  expect(changed.map(({ status }) => status)).toEqual([200, 400, 200])
})

test('the total follows deletions that share a statement', async () => {
  const total = async () => {
    const at = { path: '/api/entities/Tag', params: { entityName: 'Tag' }, headers }
    return (await call(deps, entityRoute.GET, at)).body.pagination.total
  }
  expect(await total()).toBe(40)
  await Promise.all(ids(15).map((id) => send('DELETE', id)))
  expect(await total()).toBe(25)
})
