import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { GET } from '@/app/api/entities/[entityName]/route'
import { one, rows } from '@/lib/db/sql'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { GET as READ } from '../[id]/route'
import { DELETE } from '../batch/route'

const deps = currentDeps()
const DAY_MS = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
let headers: Record<string, string>

beforeAll(async () => {
  await testDeps()
  headers = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
  const { id: me } = one(await rows<{ id: string }>(deps.db, sql`select id from engine.users`))
  const properties = [
    { name: 'seen', type: 'datetime' },
    { name: 'due', type: 'date' },
    { name: 'owner', type: 'string' },
  ]
  const records = [0.5, 3, 10, 40].map((days, index) => ({
    id: index + 1,
    seen: ago(days),
    due: ago(days).slice(0, 10),
    owner: index % 2 ? me : 'somebody',
  }))
  await installTestEntity(deps, { entity: { name: 'Task' }, schema: { properties } }, records)
})

const get = (search: string) =>
  call(deps, GET, {
    path: `/api/entities/Task?${search}`,
    params: { entityName: 'Task' },
    headers,
  })
const ids = async (filter: string) => {
  const { body } = await get(`filter=${encodeURIComponent(filter)}&sort=id`)
  return body.data?.map(({ id }: { id: number }) => id) ?? body
}

test.each([
  ['seen:gte:$now(-7d)', [1, 2]],
  ['seen:lt:$now(-1mo)', [4]],
  ['seen:between:$now(-20d)|$now(-2d)', [2, 3]],
  ['seen:gt:$now', []],
  ['due:lte:$today(-9d)', [3, 4]],
  ['due:in:$today(-10d)|$today(-40d)', [3, 4]],
  ['owner:eq:$me', [2, 4]],
  ['owner:ne:$me', [1, 3]],
])('%s', async (filter, expected) => {
  expect(await ids(filter)).toEqual(expected)
})

test('a relative time that is none is refused with the forms there are', async () => {
  const { status, body } = await get('filter=seen:gt:$now(-7x)')
  expect(status).toBe(400)
  expect(body.error).toContain('$now, $today')
})

test('a cursor goes on with the time of each request', async () => {
  const search = 'filter=seen:gte:$now(-30d)&sort=id&size=2'
  const { next } = (await get(search)).body.pagination
  const { status, body } = await get(`${search}&cursor=${next}`)
  expect([status, body.data.map(({ id }: { id: number }) => id)]).toEqual([200, [3]])
})

test('a relative time is no id of a record', async () => {
  const pks = [{ key: 'day', strategy: 'Fixed', type: 'string' }]
  const properties = [{ name: 'day', type: 'date' }]
  const day = new Date().toISOString().slice(0, 10)
  await installTestEntity(deps, { entity: { name: 'Day', pks }, schema: { properties } }, [{ day }])
  const read = async (id: string) => {
    const params = { entityName: 'Day', id }
    return (await call(deps, READ, { path: '/', params, headers })).status
  }
  expect([await read(day), await read('$today')]).toEqual([200, 404])
})

test('a deletion means the same records', async () => {
  const { status, body } = await call(deps, DELETE, {
    method: 'DELETE',
    path: '/api/entities/Task/batch?dryRun=true',
    params: { entityName: 'Task' },
    headers,
    body: {
      entity: 'Task',
      query: [
        { field: 'seen', operator: 'lt', value: '$now(-7d)' },
        { field: 'owner', operator: 'ne', value: '$me' },
      ],
    },
  })
  expect([status, body.data]).toEqual([200, [expect.objectContaining({ effected: 1 })]])
})
