import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { POST as RESTORE } from '../../../trash/[batchId]/restore/route'
import { GET as LIST } from '../../../trash/route'
import { above, deps, left, remove } from './testing/things'

const misspelt = { entity: 'Thing', filter: [above(4)] }

const restore = (batchId: string) =>
  call(deps, RESTORE, {
    ...{ method: 'POST', path: `/api/trash/${batchId}/restore`, as: 'ADMIN', params: { batchId } },
  })

const noted = () =>
  rows<{ details: JsonObject }>(
    deps.db,
    sql`select details from engine.audit_log where action = 'records.delete'`,
  )

describe('a deletion without a query whose other properties are ignored', () => {
  test('deletes everything, keeps it for 7 days, and says so', async () => {
    const { status, body } = await remove(misspelt)
    expect(status).toBe(200)
    expect(body.data).toEqual([{ effected: 25 }])
    expect(body.meta).toEqual({ ignored: ['filter'], batchId: expect.any(String) })
    expect(await left()).toBe(0)
    const { batchId } = body.meta
    const details = { count: 25, query: [], ignored: ['filter'], batchId, undoDays: 7 }
    expect(await noted()).toEqual([{ details }])
    expect((await restore(batchId)).body.data).toEqual([{ restored: 25, conflicts: [] }])
    expect(await left()).toBe(25)
  })

  test('is in the trash with what was ignored', async () => {
    const { batchId } = (await remove({ ...misspelt, querry: 1 })).body.meta
    const { body } = await call(deps, LIST, { path: '/api/trash', as: 'ADMIN' })
    expect(body.data).toMatchObject([{ batchId, query: [], ignored: ['filter', 'querry'] }])
    const { deletedAt, expiresAt } = body.data[0]
    expect(Date.parse(expiresAt) - Date.parse(deletedAt)).toBeCloseTo(7 * 86_400_000, -5)
  })

  test('also when the query is empty', async () => {
    const { body } = await remove({ ...misspelt, query: [] })
    expect(body.meta).toEqual({ ignored: ['filter'], batchId: expect.any(String) })
  })

  test('is kept for as long as the caller says', async () => {
    const { body } = await remove(misspelt, 'undo=30d')
    expect(body.meta).toEqual({ ignored: ['filter'], batchId: expect.any(String) })
    expect(await noted()).toMatchObject([{ details: { undoDays: 30 } }])
  })

  test('counts in a dry run, and is refused for another number than the expected one', async () => {
    const { body } = await remove(misspelt, 'dryRun=true')
    expect(body).toMatchObject({ data: [{ effected: 25 }] })
    expect(body.meta).toEqual({ dryRun: true, ignored: ['filter'] })
    expect((await remove(misspelt, 'expected=20')).status).toBe(409)
    expect(await left()).toBe(25)
  })

  test('of nothing keeps nothing', async () => {
    await remove({ entity: 'Thing' })
    expect((await remove(misspelt)).body).toMatchObject({
      ...{ data: [{ effected: 0 }], meta: { ignored: ['filter'], batchId: null } },
    })
  })

  test('names no more than the first properties, cut', async () => {
    const many: JsonObject = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [`p${n}`.repeat(99), n]),
    )
    const body = { entity: 'Thing', 'a\0\ud800': 1, ...many }
    const { ignored } = (await remove(body)).body.meta
    expect(ignored).toHaveLength(20)
    expect(ignored[0]).toBe('a\ufffd\ufffd')
    expect(Math.max(...ignored.map((name: string) => name.length))).toBeLessThanOrEqual(100)
  })

  test('takes records that refer to others along, and brings them back', async () => {
    const thing = { entity: 'Thing', field: 'id' }
    const properties = [
      { name: 'thing', type: 'integer', reference: { ...thing, onDelete: 'cascade' } },
    ]
    await installTestEntity(deps, { entity: { name: 'Part' }, schema: { properties } }, [
      { id: 1, thing: 3 },
    ])
    const { body } = await remove(misspelt)
    expect(body.meta).toMatchObject({ ignored: ['filter'], effects: [{ entity: 'Part' }] })
    await restore(body.meta.batchId)
    expect([await left(), await left('part')]).toEqual([25, 1])
  })
})

test('a deletion by conditions, or of everything by nothing but the entity, keeps nothing', async () => {
  const query = [above(19)]
  expect((await remove({ ...misspelt, query })).body.meta).toEqual({})
  expect((await remove({ entity: 'Thing', filters: [above(15)] })).body.meta).toEqual({})
  expect((await remove({ entity: 'Thing' })).body.meta).toEqual({})
})
