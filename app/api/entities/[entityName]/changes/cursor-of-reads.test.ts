import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { Handler } from '@/lib/http/route'
import { call } from '@/lib/testing/request'
import { POST as exportFile } from '../export/route'
import { GET as list } from '../route'
import { POST as search } from '../search/route'
import {
  briefly,
  changesAfter,
  changesOf,
  create,
  define,
  deps,
  keyOf,
  remove,
} from './testing/followed'

const HEADER = 'x-engine-changes-cursor'

async function cursorFrom(handler: Handler, method: string): Promise<string | null> {
  const { status, headers } = await call(deps, handler, {
    ...{ method, path: '/api/entities/Book/x', params: { entityName: 'Book' } },
    ...{ headers: await keyOf(['EDITOR']), ...(method === 'POST' ? { body: {} } : {}) },
  })
  expect(status).toBe(200)
  return headers.get(HEADER)
}

// A cursor serves for a second, also where the log was replaced meanwhile.
beforeEach(async () => {
  const status = async () => (await changesOf(`since=${await cursorFrom(list, 'GET')}`)).status
  await expect.poll(status, { timeout: 5_000 }).toBe(200)
})

test.each([
  ['a list', list, 'GET'],
  ['a search', search, 'POST'],
  ['an export', exportFile, 'POST'],
] as const)('%s says from where to follow what it returned', async (_, handler, method) => {
  await create({ id: 1 })
  const since = (await cursorFrom(handler, method)) ?? ''
  await create({ id: 2 })
  await remove('1')
  const changes = briefly(await changesAfter(since))
  expect(changes.slice(-2)).toEqual(['created 2', 'deleted 1'])
})

test('what a transaction writes that has not ended by then is after the cursor', async () => {
  // The embedded database has one connection: no other connection reads meanwhile.
  if (deps.dialect === 'pglite') return
  let since: string | null = null
  await deps.db.transaction(async (tx) => {
    await tx.execute(sql`insert into entities.book (id) values (7)`)
    since = await cursorFrom(list, 'GET')
  })
  expect(briefly(await changesAfter(since ?? ''))).toEqual(['created 7'])
})

test('an entity without events has none', async () => {
  await define({ events: false })
  expect(await cursorFrom(list, 'GET')).toBeNull()
})
