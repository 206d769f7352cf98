import { sql } from 'drizzle-orm'
import { beforeAll, expect } from 'vitest'
import { GET } from '@/app/api/entities/[entityName]/route'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { POST } from '../route'

export const deps = currentDeps()

let headers: Record<string, string>

export const COUNT = 1000

beforeAll(async () => {
  await testDeps()
  const properties = [
    { name: 'name', type: 'string', indexed: true },
    { name: 'age', type: 'integer', indexed: true },
    { name: 'seen', type: 'datetime' },
    { name: 'score', type: 'double' },
    { name: 'active', type: 'boolean' },
  ]
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema: { properties } }, [
    { id: 100_000, mood: 'only to make the name known' },
  ])
  await deps.db.execute(sql`
    insert into entities.thing (id, name, age, seen, score, active, "$extra")
    select n, case when n % 3 > 0 then (array['Item ', 'item ', 'ITEM '])[n % 3 + 1] || n * 37 % 40 end,
      case when n % 5 > 0 then n * 7919 % 50 end,
      timestamptz '2024-01-01' + n * 31 % 97 * interval '1 second', n % 7 / 3.0::float8, n % 2 = 0,
      (array['{"mood": 5}', '{"mood": "5"}', '{"mood": null}', null, '{"mood": {"a": 1}}', '{"mood": 1.50}']::jsonb[])[n % 6 + 1]
    from generate_series(1, ${sql.raw(String(COUNT - 1))}) as n`)
  const composite = [
    { key: 'code', strategy: 'Fixed', type: 'string' },
    { key: 'part', strategy: 'Fixed', type: 'number' },
  ]
  const pairs = ['a', 'A', 'b', 'item 2', 'Item 10'].flatMap((code) =>
    [1, 2, 3].map((part) => ({ code, part, size: part % 2 ? part : null })),
  )
  await installTestEntity(deps, { entity: { name: 'Pair', pks: composite } }, pairs)
  headers = { authorization: `Bearer ${await testKey(deps, ['VIEWER'])}` }
})

export type Body = { [key: string]: unknown; pagination: object }
export const ask = (body: Body, entityName = 'Thing') =>
  call(deps, POST, { method: 'POST', path: '/', params: { entityName }, headers, body })
export const get = (query: string) =>
  call(deps, GET, {
    path: `/api/entities/Thing?${query}`,
    params: { entityName: 'Thing' },
    headers,
  })

/** Every record by cursors, `size` at a time. `between` runs after each response. */
export async function walk(
  body: object,
  size: number,
  entityName = 'Thing',
  between: (step: number) => Promise<unknown> = async () => {},
) {
  const found: JsonObject[] = []
  let cursor: string | undefined
  for (let step = 0; ; step++) {
    const pagination = cursor === undefined ? { size } : { size, cursor }
    const response = await ask({ count: 'none', ...body, pagination }, entityName)
    expect(response.status).toBe(200)
    found.push(...response.body.data)
    cursor = response.body.pagination.next
    expect(response.body.pagination.last).toBe(cursor === undefined)
    if (cursor === undefined) return found
    await between(step)
  }
}

export const by = (...terms: string[]) =>
  terms.map((term) => ({ field: term.split(' ')[0], direction: term.split(' ')[1] ?? 'asc' }))
