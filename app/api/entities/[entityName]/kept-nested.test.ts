import { sql } from 'drizzle-orm'
import { test as always, expect } from 'vitest'
import { rows } from '@/lib/db/sql'
import { testsOnCitus } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { GET as HISTORY } from './[id]/history/route'
import { GET as CHANGES } from './changes/route'
import { change, create, defineItems, deps, headers } from './testing/orders'

/** Records on the nodes of a cluster have no other direction. */
const test = always.skipIf(testsOnCitus())

test('history, changes and the audit log tell of children as of records written alone', async () => {
  await defineItems({ history: true, events: true })
  const changes = (query = '') =>
    call(deps, CHANGES, { path: `/?${query}`, params: { entityName: 'Item' }, headers })
  const since = (await changes()).body.meta.cursor
  await create({ items: [{ product: 'Pen' }] })
  await change(1, { items: { update: [{ id: 1, amount: 2 }] } })
  await change(1, { items: { delete: [1] } })
  const params = { entityName: 'Item', id: '1' }
  const { body } = await call(deps, HISTORY, { path: '/', params, headers })
  expect(body.data.map(({ kind, action }: JsonObject) => [kind, action])).toEqual([
    ['delete', 'records.delete'],
    ['update', 'records.update'],
    ['insert', 'records.create'],
  ])
  const told: JsonObject[] = []
  for (let cursor = since; told.length < 3; ) {
    const { body } = await changes(`since=${cursor}`)
    told.push(...body.data)
    cursor = body.meta.cursor
  }
  expect(told.map(({ action }) => action)).toEqual(['created', 'updated', 'deleted'])
  const entries = await rows<{ action: string; object_type: string }>(
    deps.db,
    sql`select action, object_type from engine.audit_log where object_type in ('Item', 'Order') order by id`,
  )
  expect(entries.map(({ action, object_type }) => `${object_type} ${action}`)).toEqual([
    'Item records.create',
    'Order records.create',
    'Item records.update',
    'Order records.update',
    'Item records.delete',
    'Order records.update',
  ])
})
