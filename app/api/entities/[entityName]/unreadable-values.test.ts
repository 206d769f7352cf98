import { describe, expect, test } from 'vitest'
import { POST as RESTORE } from '@/app/api/trash/[batchId]/restore/route'
import { GET as READ_TRASH } from '@/app/api/trash/[batchId]/route'
import { testsOfCore } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import * as one from './[id]/route'
import * as batch from './batch/route'
import { POST as CREATE } from './route'
import { admin, BLIND, deps, remove } from './testing/unreadable'

describe.each(BLIND)('a caller %s', (_, headersOf) => {
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

  test.skipIf(testsOfCore())(
    'does not learn the values that keep records from being restored',
    async () => {
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
    },
  )
})
