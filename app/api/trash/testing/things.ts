import { sql } from 'drizzle-orm'
import { beforeEach } from 'vitest'
import { DELETE } from '@/app/api/entities/[entityName]/batch/route'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { POST } from '../[batchId]/restore/route'
import { GET as GET_ONE } from '../[batchId]/route'
import { GET } from '../route'

export const deps = freshDeps()

export let headers: Record<string, string>

const properties = [
  { name: 'name', type: 'string', unique: true },
  { name: 'age', type: 'integer' },
  { name: 'price', type: 'decimal' },
  { name: 'ratio', type: 'double' },
  { name: 'day', type: 'date' },
  { name: 'at', type: 'datetime' },
  { name: 'tags', type: 'array' },
]
export const entity = { name: 'Thing', auditable: true }
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

export const remove = (body: object, query = 'undo=7d', entityName = 'Thing') =>
  call(deps, DELETE, {
    method: 'DELETE',
    path: `/api/entities/${entityName}/batch?${query}`,
    params: { entityName },
    headers,
    body: { entity: entityName, ...body },
  })

export const removed = async (body: object = {}, entityName = 'Thing'): Promise<string> =>
  (await remove(body, 'undo=7d', entityName)).body.meta.batchId

export const restore = (batchId: string, as?: Record<string, string>) =>
  call(deps, POST, {
    method: 'POST',
    path: `/api/trash/${batchId}/restore`,
    params: { batchId },
    headers: as ?? headers,
  })

export const list = (query = '', as = headers) =>
  call(deps, GET, { path: `/api/trash?${query}`, headers: as })

export const look = (batchId: string, as = headers) =>
  call(deps, GET_ONE, { path: `/api/trash/${batchId}`, params: { batchId }, headers: as })

export const stored = (table = 'thing') =>
  rows<{ text: string }>(
    deps.db,
    sql`select to_jsonb(t)::text as text from entities.${sql.identifier(table)} as t order by id`,
  )

export const run = (statement: string) => deps.db.execute(sql.raw(statement))
