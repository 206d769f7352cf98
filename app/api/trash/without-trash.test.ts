import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { DELETE as DELETE_ONE } from '@/app/api/entities/[entityName]/[id]/route'
import { PATCH } from '@/app/api/entities/[entityName]/batch/route'
import { one, rows } from '@/lib/db/sql'
import { layersFor } from '@/lib/layers'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { deps, headers, list, remove, stored } from './testing/things'

/** Without the layer of the trash, what asks to be undone is final. */
beforeEach(() => {
  deps.layers = layersFor({ DISABLED_LAYERS: ['trash'] })
})

const kept = async () => {
  const count = sql`select (select count(*) from engine.trash_records)::int
    + (select count(*) from engine.trash_batches)::int as n`
  return one(await rows<{ n: number }>(deps.db, count)).n
}

test('a deletion of one record is final', async () => {
  const { status, body } = await call(deps, DELETE_ONE, {
    method: 'DELETE',
    path: '/api/entities/Thing/1?undo=1d',
    params: { entityName: 'Thing', id: '1' },
    headers,
  })
  expect([status, body.data, body.meta]).toEqual([200, [{ effected: 1 }], { batchId: null }])
  expect(await stored()).toHaveLength(2)
  expect((await list()).body.data).toEqual([])
  expect(await kept()).toBe(0)
})

test('so is one of all records, with what goes with them', async () => {
  const reference = { entity: 'Thing', field: 'id', onDelete: 'cascade' }
  await installTestEntity(deps, {
    entity: { name: 'Part' },
    schema: { properties: [{ name: 'thing', type: 'integer', reference }] },
  })
  await deps.db.execute(sql`insert into entities.part (thing) values (1), (1)`)
  const { status, body } = await remove({})
  expect([status, body.data]).toEqual([200, [{ effected: 3 }]])
  expect(body.meta).toEqual({
    batchId: null,
    effects: [{ entity: 'Part', action: 'deleted', count: 2 }],
  })
  expect([await stored(), await stored('part'), await kept()]).toEqual([[], [], 0])
  const entries = await rows<{ details: object }>(
    deps.db,
    sql`select details from engine.audit_log where action = 'records.delete' order by id desc limit 1`,
  )
  const { details } = one(entries)
  expect(details).not.toHaveProperty('undoDays')
})

test('an edit is final', async () => {
  const { status, body } = await call(deps, PATCH, {
    method: 'PATCH',
    path: '/api/entities/Thing/batch?undo=7d',
    params: { entityName: 'Thing' },
    headers,
    body: { entity: 'Thing', query: [], set: { age: 9 } },
  })
  expect([status, body.meta]).toEqual([200, { updated: 3, unchanged: 0, batchId: null }])
  expect((await stored()).every(({ text }) => text.includes('"age": 9'))).toBe(true)
  expect(await kept()).toBe(0)
})
