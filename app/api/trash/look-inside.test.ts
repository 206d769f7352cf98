import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { call, testKey } from '@/lib/testing/request'
import { GET as RECORDS } from './[batchId]/records/route'
import { POST as RESTORE } from './[batchId]/restore/route'
import { DELETE as REMOVE } from './[batchId]/route'
import { DELETE as EMPTY } from './route'
import { deps, headers, list, look, remove, removed, stored } from './testing/things'

const contents = (batchId: string, query = '', by = headers) =>
  call(deps, RECORDS, {
    path: `/api/trash/${batchId}/records${query}`,
    params: { batchId },
    headers: by,
  })

const restoreSome = (batchId: string, ids: readonly number[]) =>
  call(deps, RESTORE, {
    method: 'POST',
    path: `/api/trash/${batchId}/restore?records=${ids.join(',')}`,
    params: { batchId },
    headers,
  })

const forGood = (batchId: string, by = headers) =>
  call(deps, REMOVE, {
    method: 'DELETE',
    path: `/api/trash/${batchId}`,
    params: { batchId },
    headers: by,
  })

const who = async (...scopes: string[]) => ({
  authorization: `Bearer ${await testKey(deps, ['EDITOR'], scopes)}`,
})

test('a deletion says by which conditions it was, to those who may read the records', async () => {
  const query = [{ field: 'age', operator: 'gte', value: 1 }]
  const batchId = await removed({ query })
  expect((await list()).body.data[0]).toMatchObject({ batchId, count: 2, query })
  expect((await look(batchId)).body.data[0]).toMatchObject({ batchId, query })
  const all = await removed()
  expect((await look(all)).body.data[0]).toMatchObject({ count: 1, query: [] })
})

test('its records can be looked at, a page at a time, with all their digits', async () => {
  const batchId = await removed()
  const { status, body, text } = await contents(batchId, '?size=2')
  expect(status).toBe(200)
  expect(body.pagination).toMatchObject({ current: 0, total: 3, pages: 2 })
  expect(text).toContain('"price":12345678901234567890.10')
  expect(body.data[0]).toMatchObject({
    key: 1,
    record: { id: 1, name: 'a', tags: ['x', { y: null }], undeclared: { deep: [1, '2'] } },
    problem: null,
  })
  const [last] = (await contents(batchId, '?size=2&page=1')).body.data
  expect(last).toMatchObject({ key: 3, record: { name: 'c' } })
  expect((await contents(crypto.randomUUID())).status).toBe(404)
})

test('some of its records are restored, the others stay', async () => {
  const before = await stored()
  const batchId = await removed()
  const ids = (await contents(batchId)).body.data.map(({ id }: { id: number }) => id)
  const first = await restoreSome(batchId, [ids[0], ids[2]])
  expect(first.body.data).toEqual([{ restored: 2, conflicts: [] }])
  expect(await stored()).toEqual([before[0], before[2]])
  expect((await list()).body.data).toMatchObject([{ batchId, count: 1 }])
  expect((await restoreSome(batchId, [ids[0]])).status).toBe(404)
  expect((await restoreSome(batchId, [ids[1]])).body.data).toEqual([{ restored: 1, conflicts: [] }])
  expect(await stored()).toEqual(before)
  expect((await list()).body.data).toEqual([])
})

test('it is deleted for good, or all of the trash is', async () => {
  const batchId = await removed({ query: [{ field: 'age', operator: 'eq', value: 1 }] })
  await remove({})
  expect((await forGood(batchId)).body.data).toEqual([{ removed: 1 }])
  expect((await forGood(batchId)).status).toBe(404)
  const empty = (query: string) =>
    call(deps, EMPTY, { method: 'DELETE', path: `/api/trash${query}`, headers })
  expect((await empty('?entity=Other')).body.data).toEqual([{ removed: 0 }])
  expect((await empty('')).body.data).toEqual([{ removed: 1 }])
  expect(await rows(deps.db, sql`select 1 from engine.trash_records`)).toEqual([])
  const noted = await rows<{ actor: string; total: number }>(
    deps.db,
    sql`select actor_type as actor, count(*)::int as total from engine.audit_log
      where action = 'trash.empty' and request_id is not null group by 1`,
  )
  expect(noted).toEqual([{ actor: 'api_key', total: 2 }])
})

test('who may delete but not read sees neither values nor conditions', async () => {
  const batchId = await removed({ query: [{ field: 'age', operator: 'eq', value: 1 }] })
  const blind = await who('Thing:delete')
  expect((await contents(batchId, '', blind)).status).toBe(403)
  expect((await look(batchId, blind)).body.data[0]).toMatchObject({ count: 1, query: null })
  const reader = await who('Thing:read')
  expect((await contents(batchId, '', reader)).status).toBe(403)
  expect((await forGood(batchId, reader)).status).toBe(403)
})
