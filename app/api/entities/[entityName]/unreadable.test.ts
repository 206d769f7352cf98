import { beforeEach, describe, expect, test } from 'vitest'
import { POST as RESTORE } from '@/app/api/trash/[batchId]/restore/route'
import { GET as READ_TRASH } from '@/app/api/trash/[batchId]/route'
import { definePolicy } from '@/lib/policies/define-policy'
import { parsePolicy } from '@/lib/policies/parse-policy'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { Json } from '@/lib/values/json'
import * as one from './[id]/route'
import * as batch from './batch/route'
import { GET as COLUMNS } from './columns/route'
import * as count from './count/route'
import { POST as EXPORT } from './export/route'
import { POST as CREATE, GET as LIST } from './route'
import { POST as SEARCH } from './search/route'

const deps = freshDeps()
let admin: Record<string, string>

const SECRET = {
  entity: { name: 'Secret', pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }] },
  schema: {
    properties: [
      { name: 'id', type: 'integer' },
      { name: 'word', type: 'string', unique: true },
      { name: 'hint', type: 'string' },
    ],
  },
}
const NOTE = {
  entity: { name: 'Note' },
  schema: {
    properties: [{ name: 'secret', type: 'integer', reference: { entity: 'Secret', field: 'id' } }],
  },
}

beforeEach(async () => {
  await installTestEntity(deps, SECRET, [{ id: 1, word: 'swordfish' }])
  admin = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
})

const bearer = async (roles: string[], scopes?: string[]) => ({
  authorization: `Bearer ${await testKey(deps, roles, scopes)}`,
})

/** Everyone who may delete and change the records, but not read them. */
const BLIND: [string, () => Promise<Record<string, string>>][] = [
  ['whom a policy denies reading', () => denied()],
  [
    'whose key lacks it',
    () => bearer(['ADMIN'], ['Secret:delete', 'Secret:update', 'Secret:write', 'Note:*']),
  ],
  ['of an entity that is closed to reading', () => closed()],
]

async function denied() {
  const policy = parsePolicy({
    name: 'No reading',
    principals: ['EDITOR'],
    entities: ['secret'],
    actions: ['read'],
    allow: false,
  } as Json)
  if ('faults' in policy) throw new Error('not good')
  await definePolicy(deps.db, policy.definition, 'test')
  return bearer(['EDITOR'])
}

async function closed() {
  const entity = { ...SECRET.entity, permissions: { read: false } }
  await installTestEntity(deps, { ...SECRET, entity })
  return bearer(['ADMIN'])
}

const guess = [{ field: 'word', operator: 'starts', value: 's' }]
const remove = (headers: Record<string, string>, body: object, query = '') =>
  call(deps, batch.DELETE, {
    method: 'DELETE',
    path: `/api/entities/Secret/batch?${query}`,
    params: { entityName: 'Secret' },
    headers,
    body: { entity: 'Secret', ...body },
  })

describe.each(BLIND)('a caller %s', (_, headersOf) => {
  test.each([
    ['a dry run by conditions', { query: guess }, 'dryRun=true'],
    ['a dry run by the other name of conditions', { filters: guess }, 'dryRun=true'],
    ['a dry run of everything', {}, 'dryRun=true'],
    ['a deletion by conditions', { query: guess }, ''],
    ['a deletion by nested conditions', { query: [{ operator: 'not', filters: guess }] }, ''],
    ['a deletion into the trash by conditions', { query: guess }, 'undo=7d'],
    ['an expected number', {}, 'expected=7'],
    ['conditions on a field that is not there', { query: [{ ...guess[0], field: 'x' }] }, ''],
  ])('learns nothing by %s', async (_name, body, query) => {
    const response = await remove(await headersOf(), body, query)
    expect(response.status).toBe(403)
    expect(response.body.error).toMatch(/"Secret(:read)?"/)
    expect(response.text).not.toContain('word')
  })

  test('learns why conditions are refused, and can delete by id as the message says', async () => {
    const headers = await headersOf()
    const response = await remove(headers, { query: guess })
    expect(response.body.error).toMatch(
      /^A deletion by conditions needs (the right "Secret:read" too|to read "Secret", which its definition closes to reading); delete records by their ids instead: DELETE \/api\/entities\/Secret\/\{id\}$/,
    )
    const deleted = await call(deps, one.DELETE, {
      method: 'DELETE',
      path: '/api/entities/Secret/1',
      params: { entityName: 'Secret', id: '1' },
      headers,
    })
    expect(deleted.status).toBe(200)
  })

  test('may delete everything, which asks for nothing', async () => {
    const response = await remove(await headersOf(), {})
    expect(response.body.data).toEqual([{ effected: 1 }])
  })

  test('does not learn whether a record was changed', async () => {
    const headers = await headersOf()
    const params = { entityName: 'Secret' }
    const put = (word: string) =>
      call(deps, batch.PUT, {
        method: 'PUT',
        path: '/',
        params,
        headers,
        body: { records: [{ id: 1, word }] },
      })
    const [wrong, right] = [await put('guess'), await put('guess')]
    expect(wrong.body.meta).toEqual({ updated: 1, unchanged: 0 })
    expect(right.body.meta).toEqual(wrong.body.meta)
  })

  test('is refused by everything that reads', async () => {
    const headers = await headersOf()
    const params = { entityName: 'Secret' }
    const post = { method: 'POST', path: '/', params, headers, body: { query: guess } }
    const get = { path: '/', params, headers }
    const responses = await Promise.all([
      call(deps, SEARCH, post),
      call(deps, SEARCH, {
        ...post,
        body: { groupBy: { aggregate: [{ function: 'MIN', field: 'word' }] } },
      }),
      call(deps, count.POST, post),
      call(deps, EXPORT, post),
      call(deps, LIST, get),
      call(deps, count.GET, get),
      call(deps, COLUMNS, get),
      call(deps, one.GET, { ...get, params: { ...params, id: '1' } }),
    ])
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 403))
  })

  test('gets no version of a record, by which it could be guessed, and compares none', async () => {
    const headers = await headersOf()
    const params = { entityName: 'Secret', id: '1' }
    const changed = await call(deps, one.PATCH, {
      method: 'PATCH',
      path: '/',
      params,
      headers,
      body: { hint: 'x' },
    })
    expect(changed.body.data).toEqual([{ persistenceId: '1' }])
    expect(changed.headers.get('etag')).toBeNull()
    for (const [handler, method] of [
      [one.PATCH, 'PATCH'],
      [one.PUT, 'PUT'],
      [one.DELETE, 'DELETE'],
    ] as const) {
      const ifMatch = { ...headers, 'if-match': '"guess"' }
      const body = method === 'DELETE' ? undefined : { hint: 'y' }
      const response = await call(deps, handler, {
        method,
        path: '/',
        params,
        headers: ifMatch,
        body,
      })
      expect([method, response.status]).toEqual([method, 403])
      expect(response.body.error).toContain('If-Match')
    }
  })

  test('does not learn the values that keep records from being restored', async () => {
    const removed = await remove(admin, {}, 'undo=7d')
    const params = { batchId: removed.body.meta.batchId }
    const again = { id: 1, word: 'swordfish' }
    await call(deps, CREATE, {
      method: 'POST',
      path: '/',
      params: { entityName: 'Secret' },
      headers: admin,
      body: again,
    })
    const headers = await headersOf()
    const tried = await call(deps, RESTORE, { method: 'POST', path: '/', params, headers })
    expect(tried.body).toMatchObject({
      data: [{ restored: 0, conflicts: [] }],
      meta: { conflictCount: 1 },
    })
    const seen = await call(deps, READ_TRASH, { path: '/', params, headers })
    expect(seen.body.data).toMatchObject([{ count: 1, conflicts: [] }])
  })

  test('can look through a reference no more than directly', async () => {
    await installTestEntity(deps, NOTE, [{ secret: 1 }])
    const headers = await headersOf()
    const params = { entityName: 'Note' }
    const beyond = { field: 'secret.word', operator: 'starts', value: 's' }
    const bodies = [
      { query: [beyond] },
      { query: [{ operator: 'or', filters: [beyond] }] },
      { fields: ['secret.word'] },
      { expand: ['secret'] },
      { sort: [{ field: 'secret.word' }] },
      { groupBy: { fields: ['secret.word'], aggregate: [{ function: 'COUNT' }] } },
      { groupBy: { aggregate: [{ function: 'MAX', field: 'secret.word' }] } },
    ]
    for (const body of bodies) {
      const { status } = await call(deps, SEARCH, {
        method: 'POST',
        path: '/',
        params,
        headers,
        body,
      })
      expect([body, status]).toEqual([body, 403])
    }
  })
})

test('a caller who may read records, but not those that refer to them, only learns that some do', async () => {
  await installTestEntity(deps, NOTE, [{ secret: 1 }])
  const headers = await bearer(['EDITOR'], ['Secret:*'])
  const blockedBy = [{ entity: 'Note', field: 'secret', count: null }]
  expect((await remove(headers, {}, 'dryRun=true')).body.meta).toEqual({ dryRun: true, blockedBy })
  const refused = await remove(headers, {})
  expect(refused.status).toBe(409)
  expect(refused.body.meta).toEqual({ blockedBy })
})
