import { sql } from 'drizzle-orm'
import { beforeEach, expect } from 'vitest'
import { GET as COUNT } from '@/app/api/entities/[entityName]/count/route'
import { GET as LIST } from '@/app/api/entities/[entityName]/route'
import { one, rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'

export const deps = freshDeps()
export let headers: Record<string, string>

export const PROPERTIES = [
  { name: 'title', type: 'string' },
  { name: 'price', type: 'integer' },
  { name: 'author', type: 'bigint', reference: { entity: 'Author', field: 'id' } },
]

// Totals on the nodes of a cluster are counted, not kept.
beforeEach(async () => {
  const name = [{ name: 'name', type: 'string' }]
  await installTestEntity(deps, {
    entity: { name: 'Author', distribution: 'local' },
    schema: { properties: name },
  })
  await installTestEntity(deps, {
    entity: { name: 'Book', distribution: 'local' },
    schema: { properties: PROPERTIES },
  })
  headers = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
  await run(`insert into entities.author (id, name) values (1, 'Ann'), (2, 'Bob')`)
  await run(
    `insert into entities.book (id, title, price, author) select i, 'Book ' || i, i % 10, 1 + i % 2 from generate_series(1, 100) i`,
  )
})

export const run = (statement: string) => deps.db.execute(sql.raw(statement))

let size = 1

/** The total of a page, which must be that of the count alone too. A page that is not remembered. */
export async function total(filter = '', entityName = 'Book'): Promise<number> {
  const query = filter ? `filter=${encodeURIComponent(filter)}` : ''
  const at = { headers, params: { entityName } }
  const page = await call(deps, LIST, {
    ...at,
    path: `/api/entities/${entityName}?size=${++size}&${query}`,
  })
  const path = `/api/entities/${entityName}/count?${query}`
  const counted = await call(deps, COUNT, { ...at, path })
  expect(counted.body.data).toEqual([{ count: page.body.pagination.total }])
  return page.body.pagination.total
}

export const kept = async (table = 'book') =>
  one(
    await rows<{ total: string | null; version: string }>(
      deps.db,
      sql`select total::text, version from engine.current_totals where relation = ${`entities.${table}`}::regclass`,
    ),
  )

export const since = ({ version }: { version: string }) => version.split('.').slice(0, 2).join('.')

/** A wrong base, which shows that a total was not counted. */
export const pretend = (base: number) =>
  run(`update engine.entity_totals set base = ${base} where relation = 'entities.book'::regclass`)
