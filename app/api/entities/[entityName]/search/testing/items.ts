import { beforeAll } from 'vitest'
import { GET } from '@/app/api/entities/[entityName]/route'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { POST } from '../route'

export const deps = currentDeps()

export let headers: Record<string, string>

const properties = [
  { name: 'name', type: 'string' },
  { name: 'age', type: 'integer' },
  { name: 'born', type: 'date' },
  { name: 'seen', type: 'datetime' },
  { name: 'opens', type: 'time' },
  { name: 'score', type: 'double' },
  { name: 'active', type: 'boolean' },
  { name: 'address', type: 'object' },
  { name: 'tags', type: 'array' },
]
export const names = ['item 10', 'Item 2', 'item 1', null, 'ITEM 2', 'zebra', 'Äpfel', 'apfel']

beforeAll(async () => {
  await testDeps()
  const records = names.map((name, index) => ({ id: index + 1, name, age: index % 3 }))
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema: { properties } }, [
    { ...records[0], seen: '2024-05-06T07:08:09.010Z', address: { b: 1, a: 'x' }, odd: { x: [1] } },
    ...records.slice(1),
  ])
  await installTestEntity(
    deps,
    {
      entity: {
        name: 'Pair',
        pks: [
          { key: 'code', strategy: 'Fixed', type: 'string' },
          { key: 'number', strategy: 'Fixed', type: 'number' },
        ],
      },
    },
    [
      { code: 'ä?>/"\\', number: 2, note: 'free' },
      { code: 'b', number: 1 },
    ],
  )
  await installTestEntity(deps, { entity: { name: 'Closed', permissions: { read: false } } })
  headers = { authorization: `Bearer ${await testKey(deps, ['VIEWER'])}` }
})

export const search = (body: unknown, entityName = 'Thing', type = 'application/json') =>
  call(deps, POST, {
    method: 'POST',
    path: `/api/entities/${entityName}/search`,
    params: { entityName },
    headers: { ...headers, 'content-type': type },
    body,
  })
export const get = (query: string, entityName = 'Thing') =>
  call(deps, GET, { path: `/api/entities/${entityName}?${query}`, params: { entityName }, headers })
export const idsOf = ({ body }: { body: { data: JsonObject[] } }) => body.data.map(({ id }) => id)
