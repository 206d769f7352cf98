import { sql } from 'drizzle-orm'
import { beforeEach } from 'vitest'
import * as byId from '@/app/api/entities/[entityName]/[id]/route'
import * as batch from '@/app/api/entities/[entityName]/batch/route'
import * as ofEntity from '@/app/api/entities/[entityName]/route'
import { one, rows } from '@/lib/db/sql'
import { positionOf } from '@/lib/events/position'
import type { Handler } from '@/lib/http/route'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { GET } from '../route'

export const deps = freshDeps()

export const PROPERTIES = [
  { name: 'title', type: 'string' },
  { name: 'price', type: 'decimal' },
  { name: 'branch', type: 'string' },
  { name: 'notes', type: 'json' },
] as const

export const define = (changes: object = {}, properties: readonly object[] = PROPERTIES) =>
  installTestEntity(deps, {
    entity: {
      ...{ name: 'Book', events: true, distribution: 'local' },
      ...{ pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }], ...changes },
    },
    schema: { properties },
  })

type Headers = Record<string, string>
let headers: Headers

beforeEach(async () => {
  await define()
  headers = await keyOf(['EDITOR'])
})

export const keyOf = async (roles: string[]): Promise<Headers> => ({
  authorization: `Bearer ${await testKey(deps, roles)}`,
})

const send = (routes: object, method: string, body: unknown, id?: string) =>
  call(deps, (routes as Record<string, Handler>)[method] as Handler, {
    ...{ method, path: '/api/entities/Book/x', body, headers },
    params: { entityName: 'Book', ...(id === undefined ? {} : { id }) },
  })

export const create = (body: object) => send(ofEntity, 'POST', body)
export const change = (id: string, body: object) => send(byId, 'PATCH', body, id)
export const remove = (id: string) => send(byId, 'DELETE', undefined, id)
export const inBatch = (method: string, body: object) => send(batch, method, body)

export const changesOf = (query = '', as: Headers = headers) =>
  call(deps, GET, {
    path: `/api/entities/Book/changes?${query}`,
    params: { entityName: 'Book' },
    headers: as,
  })

/** After all that was written until now: see `changesAfter`. */
export async function cursorOfNow(): Promise<string> {
  const end = await newTransaction()
  for (;;) {
    const { cursor } = (await changesOf()).body.meta
    if (positionOf(cursor).xid >= end) return cursor
  }
}

export type Change = {
  action: string
  key: string | null
  before: object | null
  after: object | null
  fields: string[]
  cursor: string
  actor: object | null
  cause: { action: string | null; install: object | null }
  requestId: string | null
  counts: object | null
}

/** What happened after a cursor, all of it: a feed waits for transactions that began earlier, also those of the server itself. */
export async function changesAfter(
  since: string,
  query = '',
  as: Headers = headers,
): Promise<Change[]> {
  const end = await newTransaction()
  const found: Change[] = []
  for (let cursor = since; ; ) {
    const { body } = await changesOf(`since=${cursor}&${query}`, as)
    found.push(...body.data)
    cursor = body.meta.cursor
    if (!body.meta.more && positionOf(cursor).xid >= end) return found
  }
}

const newTransaction = async (): Promise<bigint> =>
  BigInt(
    one(await rows<{ xid: string }>(deps.db, sql`select pg_current_xact_id()::text as xid`)).xid,
  )

export const briefly = (changes: readonly Change[]) =>
  changes.map(({ action, key }) => `${action} ${key}`)
