import { sql } from 'drizzle-orm'
import { beforeEach } from 'vitest'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { POST as restore } from '../../../../trash/[batchId]/restore/route'
import { DELETE } from '../../../../trash/[batchId]/route'
import { PATCH } from '../route'

export const deps = freshDeps()
let headers: Record<string, string>

const properties = [
  { name: 'title', type: 'string', required: true, maxLength: 12 },
  { name: 'code', type: 'string', unique: true },
  { name: 'stock', type: 'integer', min: 0, max: 100 },
  { name: 'price', type: 'decimal' },
  { name: 'rating', type: 'float' },
  { name: 'tags', type: 'array' },
  { name: 'data', type: 'json' },
  { name: 'seen', type: 'Date' },
  { name: 'day', type: 'date' },
  { name: 'old', type: 'string' },
  { name: 'total', type: 'decimal', computed: 'price * stock' },
]

/** 25 books with the keys 1 to 25 and a stock of 0 to 24. */
beforeEach(async () => {
  await installTestEntity(deps, {
    entity: { name: 'Book', auditable: true },
    schema: { properties, additionalProperties: true },
  })
  await deps.db.execute(
    sql`insert into entities.book (title, code, stock, price, tags)
        select 't' || n, 'c' || n, n, n + 0.25, jsonb_build_array('a', n) from generate_series(0, 24) n`,
  )
  headers = await rightsOf(['EDITOR'])
})

/** The headers of a key of somebody who has the roles, limited to scopes. */
export const rightsOf = async (roles: string[], scopes: string[] | null = null) => ({
  authorization: `Bearer ${await testKey(deps, roles, scopes)}`,
})

export const edit = (set: unknown, query: unknown[] = [], url = '', as = headers) =>
  patch({ entity: 'Book', query, set }, url, as)

export const patch = (body: unknown, url = '', as = headers) =>
  call(deps, PATCH, {
    method: 'PATCH',
    path: `/api/entities/Book/batch?${url}`,
    params: { entityName: 'Book' },
    headers: as,
    body,
  })

export const undo = (batchId: unknown, as = headers) =>
  call(deps, restore, {
    method: 'POST',
    path: `/api/trash/${batchId}/restore`,
    params: { batchId: String(batchId) },
    headers: as,
  })

/** Deletes a batch of the trash for good. */
export const remove = (batchId: unknown, as = headers) =>
  call(deps, DELETE, {
    method: 'DELETE',
    path: `/api/trash/${batchId}`,
    params: { batchId: String(batchId) },
    headers: as,
  })

/** The stored books by key, with the named columns. */
export const books = (columns: string) =>
  rows<JsonObject>(
    deps.db,
    sql`select ${sql.raw(columns)} from entities.book order by ${sql.identifier(KEY)}`,
  )

const KEY = 'id'

export const stock = (operator: string, value: unknown) => ({ field: 'stock', operator, value })
