import { sql } from 'drizzle-orm'
import * as one from '@/app/api/entities/[entityName]/[id]/route'
import * as batch from '@/app/api/entities/[entityName]/batch/route'
import * as entity from '@/app/api/entities/[entityName]/route'
import { rows } from '@/lib/db/sql'
import { call } from '@/lib/testing/request'
import { allow, clerk, deps } from './branches'

// Requests of clerks who may do with some records what policies say.

export type Headers = Record<string, string>
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request of `Order`, by its path below the entity: ``, `/batch`, `/7`. */
export const send = (
  headers: Headers,
  method: Method,
  path: string,
  body?: unknown,
  more: { name?: string; headers?: Headers } = {},
) => {
  const { name = 'Order' } = more
  const id =
    path.startsWith('/') && !path.startsWith('/batch') ? path.slice(1).split('?')[0] : undefined
  const isOfMatches = path.startsWith('/batch') && (method === 'PATCH' || method === 'DELETE')
  const routes = path.startsWith('/batch') ? batch : id ? one : entity
  return call(deps, routes[method], {
    method,
    path: `/api/entities/${name}${path}`,
    body: isOfMatches ? { entity: name, ...(body as object) } : body,
    headers: { ...headers, ...more.headers },
    params: { entityName: name, ...(id ? { id } : {}) },
  })
}

export const OWN = [{ field: 'branch', operator: 'eq', value: '$me.profile.branch' }]
export const ALL = ['read', 'write', 'update', 'delete']

/** A clerk of the branch N1, who may do everything with its orders. */
export const ofBranch = async (policy: object = {}) => {
  await allow({ entities: ['Order'], actions: ALL, where: OWN, ...policy })
  return clerk({ branch: 'N1' })
}

/** A row of `Order`, whatever policies say. */
export const stored = async (id: number) => {
  const query = sql`select to_jsonb(t) as row from entities.order as t where id = ${id}`
  return (await rows<{ row: Record<string, unknown> }>(deps.db, query))[0]?.row
}

export const told = ({ body: { timestamp: _, ...body } }: { body: { timestamp?: unknown } }) =>
  JSON.stringify(body)
