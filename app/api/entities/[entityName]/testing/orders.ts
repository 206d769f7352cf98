import { sql } from 'drizzle-orm'
import { beforeEach } from 'vitest'
import * as one from '@/app/api/entities/[entityName]/[id]/route'
import * as batch from '@/app/api/entities/[entityName]/batch/route'
import * as entity from '@/app/api/entities/[entityName]/route'
import { rows } from '@/lib/db/sql'
import { definePolicy } from '@/lib/policies/define-policy'
import { parsePolicy } from '@/lib/policies/parse-policy'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { Json, JsonObject } from '@/lib/values/json'

// Orders with items, items with parts: each has the key of what it belongs to.

export const deps = freshDeps()
export let headers: Record<string, string>

const key = (name: string, strategy: string, type = 'number') => [{ key: name, strategy, type }]
export const to = (entity: string, field: string, inverse?: string) => ({
  reference: { entity, field, ...(inverse ? { inverse } : {}) },
})

export const define = (entity: object, properties: object[], records: JsonObject[] = []) =>
  installTestEntity(deps, { entity, schema: { properties } }, records)

/** Defines the items of orders with `changes` of the entity. */
export const defineItems = (changes: object = {}) =>
  define({ name: 'Item', pks: key('id', 'AutoIncrement'), ...changes }, [
    { name: 'order', type: 'integer', meta: { required: true, ...to('Order', 'id', 'items') } },
    { name: 'product', type: 'string', meta: { required: true } },
    { name: 'amount', type: 'integer', meta: { min: 1 } },
    { name: 'price', type: 'integer' },
    { name: 'worth', type: 'integer', meta: { computed: 'amount * price' } },
  ])

beforeEach(async () => {
  await define({ name: 'Order', pks: key('id', 'AutoIncrement') }, [
    { name: 'title', type: 'string' },
  ])
  await defineItems()
  await define({ name: 'Part', pks: key('code', 'Fixed', 'string') }, [
    { name: 'item', type: 'integer', meta: to('Item', 'id', 'parts') },
    { name: 'rank', type: 'integer', meta: { required: true } },
  ])
  headers = await keyFor(['EDITOR'])
})

export const keyFor = async (roles: string[], scopes?: string[]) => ({
  authorization: `Bearer ${await testKey(deps, roles, scopes)}`,
})

/** Lets keys with the role `Clerk` do `actions` with records of an entity. */
export async function allow(entity: string, actions: string[], more: object = {}): Promise<void> {
  const name = `${entity} ${JSON.stringify(more)} ${actions}`
  const json = { name, principals: ['Clerk'], entities: [entity], actions, ...more }
  const parsed = parsePolicy(json as Json)
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
  await definePolicy(deps.db, parsed.definition, 'test')
}

type Asked = { name?: string; as?: Record<string, string> }

export const create = (body: unknown, { name = 'Order', as = headers }: Asked = {}) =>
  call(deps, entity.POST, {
    ...{ method: 'POST', path: '/', params: { entityName: name }, headers: as, body },
  })

export const change = (id: unknown, body: unknown, { name = 'Order', as = headers }: Asked = {}) =>
  call(deps, one.PATCH, {
    ...{ method: 'PATCH', path: '/', headers: as, body },
    params: { entityName: name, id: String(id) },
  })

export const createMany = (records: JsonObject[], as = headers) =>
  call(deps, batch.POST, {
    ...{ method: 'POST', path: '/', params: { entityName: 'Order' }, headers: as },
    body: { records },
  })

export const changeMany = (records: JsonObject[], as = headers) =>
  call(deps, batch.PUT, {
    ...{ method: 'PUT', path: '/', params: { entityName: 'Order' }, headers: as },
    body: { records },
  })

/** The rows of a table of entities, with these columns, by all of them. */
export async function stored(table: string, ...columns: string[]): Promise<JsonObject[]> {
  const names = columns.map((name) => sql.identifier(name))
  const list = sql.join(names, sql`, `)
  const query = sql`select to_jsonb(r) as row from (select ${list} from entities.${sql.identifier(table)} order by ${list}) as r`
  return (await rows<{ row: JsonObject }>(deps.db, query)).map(({ row }) => row)
}

/** The numbers of orders, items and parts. */
export const numbers = async () =>
  Promise.all(
    [
      ['order', 'id'],
      ['item', 'id'],
      ['part', 'code'],
    ].map(async ([table = '', column = '']) => (await stored(table, column)).length),
  )
