import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { DELETE as DELETE_ONE } from '@/app/api/entities/[entityName]/[id]/route'
import { trashBatches } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import { call, testKey } from '@/lib/testing/request'
import { emptyTrash } from '@/lib/trash/empty-trash'
import type { JsonObject } from '@/lib/values/json'
import { GET as LIST } from './route'
import { deps, headers, list, look, remove, removed, restore, run, stored } from './testing/things'

describe('a deletion that can be undone', () => {
  test('is restored exactly, and is then out of the trash', async () => {
    const before = await stored()
    const { status, body } = await remove({})
    expect(status).toBe(200)
    expect(body.data).toEqual([{ effected: 3 }])
    expect(await stored()).toEqual([])
    const response = await restore(body.meta.batchId)
    expect(response.status).toBe(200)
    expect(response.body.data).toEqual([{ restored: 3, conflicts: [] }])
    expect(await stored()).toEqual(before)
    expect((await list()).body.data).toEqual([])
    expect((await restore(body.meta.batchId)).status).toBe(404)
    expect(await rows(deps.db, sql`select 1 from engine.trash_records`)).toEqual([])
  })

  test('takes what matches only', async () => {
    const query = [{ field: 'age', operator: 'gte', value: 1 }]
    const batchId = await removed({ query })
    expect(await stored()).toHaveLength(1)
    expect((await restore(batchId)).body.data).toEqual([{ restored: 2, conflicts: [] }])
  })

  test('may be of one record', async () => {
    const { body } = await call(deps, DELETE_ONE, {
      method: 'DELETE',
      path: '/api/entities/Thing/1?undo=1d',
      params: { entityName: 'Thing', id: '1' },
      headers,
    })
    expect(body).toMatchObject({ data: [{ effected: 1 }], meta: { batchId: expect.any(String) } })
    expect(await stored()).toHaveLength(2)
    expect((await restore(body.meta.batchId)).body.data).toEqual([{ restored: 1, conflicts: [] }])
    expect(await stored()).toHaveLength(3)
  })

  test('continues the counters of keys', async () => {
    await restore(await removed())
    await run(`insert into entities.thing (name) values ('next')`)
    expect((await stored()).at(-1)?.text).toContain('"id": 4')
  })

  test('counts on after restored keys where the counter was lost', async () => {
    const batchId = await removed()
    await run(`select setval(pg_get_serial_sequence('entities.thing', 'id'), 1, false)`)
    await restore(batchId)
    await run(`insert into entities.thing (name) values ('next')`)
    expect((await stored()).at(-1)?.text).toContain('"id": 4')
  })

  test('leaves nothing when nothing matched, or when it is refused', async () => {
    const query = [{ field: 'age', operator: 'gt', value: 99 }]
    expect((await remove({ query })).body).toMatchObject({
      data: [{ effected: 0 }],
      meta: { batchId: null },
    })
    expect((await remove({}, 'undo=7d&expected=2')).status).toBe(409)
    expect((await remove({}, 'undo=7d&dryRun=true')).body.meta).toEqual({ dryRun: true })
    expect((await list()).body.data).toEqual([])
    expect(await stored()).toHaveLength(3)
  })

  test('takes whole days, up to the limit, and nothing else', async () => {
    for (const undo of ['0d', '31d', '7', '7h', '-1d', 'd', '1e1d']) {
      const { status, body } = await remove({}, `undo=${undo}`)
      expect.soft([undo, status, body.validations?.[0].field]).toEqual([undo, 400, 'undo'])
    }
    expect(await stored()).toHaveLength(3)
  })

  test('is noted, and so is its restoring', async () => {
    const batchId = await removed()
    await restore(batchId)
    const noted = await rows<JsonObject>(
      deps.db,
      sql`select action, object_type, details from engine.audit_log order by id`,
    )
    expect(noted).toEqual([
      {
        action: 'records.delete',
        object_type: 'Thing',
        details: { count: 3, query: [], batchId, undoDays: 7 },
      },
      {
        action: 'records.restore',
        object_type: 'Thing',
        details: { batchId, restored: 3, conflicts: 0 },
      },
    ])
  })
})

describe('the trash', () => {
  test('lists its batches, the last deletion first, by pages', async () => {
    await removed({ query: [{ field: 'age', operator: 'eq', value: 1 }] })
    const batchId = await removed()
    const { body } = await list('size=1')
    expect(body.pagination).toMatchObject({ total: 2, pages: 2, first: true, last: false })
    expect(body.data).toEqual([
      {
        kind: 'records',
        query: [],
        plugins: [],
        entities: ['Thing'],
        batchId,
        entity: 'Thing',
        count: 2,
        deletedBy: 'test',
        deletedAt: expect.stringMatching(/Z$/),
        expiresAt: expect.stringMatching(/Z$/),
      },
    ])
    const { deletedAt, expiresAt } = body.data[0]
    const days = (Date.parse(expiresAt) - Date.parse(deletedAt)) / 86_400_000
    expect(days).toBeCloseTo(7, 3)
    expect((await list('entity=Other')).body.data).toEqual([])
    expect((await list('nonsense=1')).status).toBe(400)
  })

  test('is emptied of what has expired, which is noted', async () => {
    const batchId = await removed({ query: [{ field: 'age', operator: 'eq', value: 1 }] })
    const kept = await removed()
    await deps.db
      .update(trashBatches)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(sql`id = ${batchId}::uuid`)
    expect((await restore(batchId)).status).toBe(404)
    expect((await look(batchId)).status).toBe(404)
    expect((await list()).body.data).toHaveLength(1)
    await emptyTrash(deps)
    const left = await rows(deps.db, sql`select distinct batch_id from engine.trash_records`)
    expect(left).toEqual([{ batch_id: kept }])
    const noted = sql`select actor_type from engine.audit_log where action = 'trash.empty'`
    expect(await rows(deps.db, noted)).toEqual([{ actor_type: 'system' }])
  })

  test('restores once for any number of concurrent requests', async () => {
    const batchId = await removed()
    const responses = await Promise.all([restore(batchId), restore(batchId), restore(batchId)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    expect(await stored()).toHaveLength(3)
  })

  test.each([
    ['a caller without a credential', 401, undefined],
    ['a reader', 403, 'VIEWER'],
    ['who may delete and not write', 403, ['Thing:delete']],
    ['who may write and not delete', 403, ['Thing:write']],
    ['who may do both', 200, ['Thing:delete', 'Thing:write']],
  ])('restores for %s: %i', async (_, status, rights) => {
    const batchId = await removed()
    const scopes = Array.isArray(rights) ? rights : null
    const role = Array.isArray(rights) ? 'ADMIN' : rights
    const as: Record<string, string> = role
      ? { authorization: `Bearer ${await testKey(deps, [role], scopes)}` }
      : {}
    expect((await restore(batchId, as)).status).toBe(status)
    if (status === 403)
      expect((await list('', as)).body.data).toHaveLength(scopes?.[0] === 'Thing:delete' ? 1 : 0)
  })

  test.each(['x', crypto.randomUUID()])('has no %s', async (id) => {
    expect((await restore(id)).status).toBe(404)
    expect((await look(id)).status).toBe(404)
  })
})

describe('of one record', () => {
  const holding = async (record: string) => {
    const path = `/api/trash?entity=Thing&record=${record}`
    const { body } = await call(deps, LIST, { path, headers })
    return body.data.map(({ batchId }: { batchId: string }) => batchId)
  }

  test('only what holds it is listed', async () => {
    const query = [{ field: 'name', operator: 'eq', value: 'a' }]
    const batchId = await removed({ query })
    expect(await holding('1')).toEqual([batchId])
    expect(await holding('2')).toEqual([])
    expect(await holding('eyJub3QiOjF9')).toEqual([])
    const { status } = await call(deps, LIST, { path: '/api/trash?record=1', headers })
    expect(status).toBe(400)
  })
})
