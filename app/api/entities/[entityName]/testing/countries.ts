import { sql } from 'drizzle-orm'
import { beforeEach } from 'vitest'
import { rows } from '@/lib/db/sql'
import type { Handler } from '@/lib/http/route'
import { freshDeps } from '@/lib/testing/deps'
import { call, testKey } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import * as one from '../[id]/route'
import * as batch from '../batch/route'
import * as entity from '../route'

export const deps = freshDeps()

let headers: Record<string, string>

const CODE = [{ key: 'code', strategy: 'Fixed', type: 'string' }]
export const COUNTRY = {
  entity: { name: 'Country', pks: CODE, auditable: true },
  schema: {
    properties: [
      { name: 'code', type: 'string', pattern: '^[A-Z]{2}$' },
      { name: 'name', type: 'string', required: true },
      { name: 'iso', type: 'string', unique: true },
      { name: 'people', type: 'integer', min: 0 },
      { name: 'since', type: 'Date' },
    ],
  },
}
export const DE = { code: 'DE', name: 'Germany', iso: '276', people: 83 }
export const FR = { code: 'FR', name: 'France', iso: '250' }

/** What is sent after this is of a new user with these roles; without roles, it has no credential. */
export async function signInAs(roles: string[], scopes?: string[]): Promise<void> {
  const key = roles.length > 0 && (await testKey(deps, roles, scopes))
  headers = key ? { authorization: `Bearer ${key}` } : {}
}

beforeEach(() => signInAs(['EDITOR']))

export type Route = { [method: string]: Handler }
export type Options = { body?: unknown; more?: Record<string, string>; name?: string }

export const send = (
  routes: object,
  method: string,
  path: string,
  { body, more, name = 'Country' }: Options = {},
) =>
  call(deps, (routes as Route)[method] as Handler, {
    method,
    path: `/api/entities/${name}${path}`,
    body,
    headers: { ...headers, ...more },
    params: { entityName: name, ...(routes === one ? { id: idIn(path) } : {}) },
  })

const idIn = (path: string) => decodeURIComponent(path.slice(1).split('?')[0] ?? '')

export const create = (body: unknown, name?: string) => send(entity, 'POST', '', { body, name })
export const createMany = (body: unknown, name?: string) =>
  send(batch, 'POST', '/batch', { body, name })
export const read = async (id: string, name?: string) =>
  (await send(one, 'GET', `/${encodeURIComponent(id)}`, { name })).body.data[0]

export const auditRows = () =>
  rows<JsonObject>(
    deps.db,
    sql`select action, object_type as type, object_id as id, details from engine.audit_log where action like 'records.%' order by engine.audit_log.id`,
  )
