import { sql } from 'drizzle-orm'
import { beforeEach } from 'vitest'
import * as byId from '@/app/api/entities/[entityName]/[id]/route'
import * as batch from '@/app/api/entities/[entityName]/batch/route'
import * as ofEntity from '@/app/api/entities/[entityName]/route'
import type { Handler } from '@/lib/http/route'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import * as restoring from '../[version]/restore/route'
import * as history from '../route'

export const deps = freshDeps()

const properties = [
  { name: 'title', type: 'string', required: true },
  { name: 'price', type: 'decimal', min: 0 },
  { name: 'at', type: 'Date' },
  { name: 'tags', type: 'array' },
  { name: 'twice', type: 'decimal', computed: 'price * 2' },
]
export const BOOK = {
  entity: { name: 'Book', history: true, auditable: true },
  schema: { properties },
}

export const define = (changes: object = {}, more: object[] = []) =>
  installTestEntity(deps, {
    entity: { ...BOOK.entity, ...changes },
    schema: { properties: [...properties, ...more] },
  })

let headers: Record<string, string>

beforeEach(async () => {
  await define()
  headers = await signedInAs(['EDITOR'])
})

export const signedInAs = async (roles: string[], scopes?: string[]) => ({
  authorization: `Bearer ${await testKey(deps, roles, scopes)}`,
})

type Options = {
  body?: unknown
  id?: string
  as?: Record<string, string>
  query?: string
  entity?: string
  version?: number
}

const send = (
  routes: object,
  method: string,
  { body, id, as = headers, query = '', entity = 'Book', version }: Options,
) =>
  call(deps, (routes as Record<string, Handler>)[method] as Handler, {
    ...{ method, path: `/api/entities/${entity}/x?${query}`, body, headers: as },
    params: {
      entityName: entity,
      ...(id === undefined ? {} : { id }),
      ...(version === undefined ? {} : { version: String(version) }),
    },
  })

export const create = (body: object, more: Options = {}) =>
  send(ofEntity, 'POST', { body, ...more })
export const change = (id: string, body: object, more: Options = {}) =>
  send(byId, 'PATCH', { id, body, ...more })
export const remove = (id: string, more: Options = {}) => send(byId, 'DELETE', { id, ...more })
export const read = (id: string, more: Options = {}) => send(byId, 'GET', { id, ...more })
export const inBatch = (method: string, body: object, query = '') =>
  send(batch, method, { body, query })
export const historyOf = (id: string, more: Options = {}) => send(history, 'GET', { id, ...more })
export const restore = (id: string, version: number, more: Options = {}) =>
  send(restoring, 'POST', { id, version, ...more })
export const withHeaders = (more: Record<string, string>) => ({ ...headers, ...more })

export const run = (statement: string) => deps.db.execute(sql.raw(statement))

/** What of each version is easily compared. */
export const told = (versions: Version[]) =>
  versions.map(({ kind, action, changes }) => [
    kind,
    action,
    Object.fromEntries(
      changes
        .filter(({ field }) => !/^(Created|LastUpdated)/.test(field))
        .map(({ field, before, after }) => [field, [before, after]]),
    ),
  ])
type Version = {
  kind: string
  action: string | null
  changes: { field: string; before?: unknown; after?: unknown }[]
}
