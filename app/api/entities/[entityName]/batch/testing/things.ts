import { sql } from 'drizzle-orm'
import { beforeEach } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { DELETE } from '../route'

export const deps = freshDeps()
let headers: Record<string, string>

const properties = [
  { name: 'name', type: 'string' },
  { name: 'age', type: 'integer' },
]

/** 25 things of the ages 0 to 24, with the keys 1 to 25. */
beforeEach(async () => {
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema: { properties } })
  await deps.db.execute(
    sql`insert into entities.thing (name, age) select 'n' || age, age from generate_series(0, 24) age`,
  )
  headers = { authorization: `Bearer ${await testKey(deps, ['EDITOR'])}` }
})

export const remove = (body: unknown, query = '', entityName = 'Thing') =>
  call(deps, DELETE, {
    method: 'DELETE',
    path: `/api/entities/${entityName}/batch?${query}`,
    params: { entityName },
    headers,
    body,
  })

export async function left(table = 'thing'): Promise<number> {
  const query = sql`select count(*)::int as n from entities.${sql.identifier(table)}`
  return one(await rows<{ n: number }>(deps.db, query)).n
}

export const above = (value: number) => ({ field: 'age', operator: 'gt', value })
