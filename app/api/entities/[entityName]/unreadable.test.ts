import { describe, expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import * as one from './[id]/route'
import { GET as COLUMNS } from './columns/route'
import * as count from './count/route'
import { POST as EXPORT } from './export/route'
import { GET as LIST } from './route'
import { POST as SEARCH } from './search/route'
import { BLIND, bearer, deps, guess, NOTE, remove } from './testing/unreadable'

describe.each(BLIND)('a caller %s', (_, headersOf) => {
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

  test('may delete everything, which asks for nothing', async () => {
    const response = await remove(await headersOf(), {})
    expect(response.body.data).toEqual([{ effected: 1 }])
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
