import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { call } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { GET as listTrash } from '../../../trash/route'
import { books, deps, edit, remove, rightsOf, stock, undo } from './testing/books'

const execute = (text: string) => deps.db.execute(sql.raw(text))

const kept = () =>
  rows<JsonObject>(deps.db, sql`select count(*)::int as n from engine.trash_records`)

describe('a dry run', () => {
  test('counts, shows records before and after, and changes nothing', async () => {
    const { body } = await edit({ stock: { $increment: 1 } }, [stock('lt', 12)], 'dryRun=true')
    expect(body.data).toEqual([{ effected: 12 }])
    const { sample, ...meta } = body.meta
    expect(meta).toEqual({ dryRun: true, updated: 12, unchanged: 0 })
    expect(sample).toHaveLength(10)
    expect(sample[1]).toEqual({ key: 2, before: { stock: 1 }, after: { stock: 2 } })
    expect((await books('stock::int'))[1]).toEqual({ stock: 1 })
    expect(await kept()).toEqual([{ n: 0 }])
  })

  test('fails as the edit would', async () => {
    expect((await edit({ stock: { $increment: 90 } }, [], 'dryRun=true')).status).toBe(400)
    expect((await edit({ code: 'x' }, [], 'dryRun=true')).status).toBe(409)
    expect((await edit({ old: 'x' }, [], 'dryRun=true&expected=3')).status).toBe(409)
  })
})

describe('undo', () => {
  test('gives every field back, also to records that changed elsewhere', async () => {
    const before = await books('title, stock, price::text, tags, seen, "$extra" as extra')
    const set = {
      ...{ title: 'same', stock: { $increment: 5 }, price: { $multiply: 1.5 } },
      ...{ tags: { $append: 'x' }, seen: { $now: true }, shelf: 'A' },
    }
    const { body } = await edit(set, [], 'undo=7d')
    await execute(`update entities.book set old = 'other' where id = 3`)
    const { body: undone } = await undo(body.meta.batchId)
    expect(undone.data).toEqual([{ restored: 25, conflicts: [] }])
    expect(await books('title, stock, price::text, tags, seen, "$extra" as extra')).toEqual(before)
    expect((await books('old'))[2]).toEqual({ old: 'other' })
    expect((await undo(body.meta.batchId)).status).toBe(404)
    expect(await kept()).toEqual([{ n: 0 }])
  })

  test('says which were changed or deleted since, or are refused now, and keeps these', async () => {
    const { body } = await edit({ code: null, stock: 50 }, [stock('lt', 6)], 'undo=7d')
    await execute(`update entities.book set stock = 51 where id = 1`)
    await execute(`delete from entities.book where id = 2`)
    await execute(`update entities.book set code = 'c2' where id = 20`)
    const { batchId } = body.meta
    const { body: undone } = await undo(batchId)
    const [{ restored, conflicts }] = undone.data
    expect(restored).toBe(3)
    expect(conflicts).toEqual([
      {
        ...{ key: 1, reason: 'changed-since', fields: ['stock'] },
        message: '"stock" has been changed since, to 51',
      },
      {
        ...{ key: 2, reason: 'record-gone', fields: [] },
        message: 'The record has been deleted since',
      },
      expect.objectContaining({ key: 3, reason: 'unique-taken', fields: ['code'] }),
    ])
    expect((await books('stock::int')).slice(0, 4).map((book) => book.stock)).toEqual([
      51, 50, 3, 4,
    ])
    await execute(`update entities.book set code = 'c99' where id = 20`)
    expect((await undo(batchId)).body.data).toMatchObject([{ restored: 1 }])
  })

  test('keeps only what changed, and nothing when nothing did', async () => {
    await edit({ old: 'x' }, [stock('lt', 3)])
    const { body } = await edit({ old: 'x' }, [stock('lt', 5)], 'undo=7d')
    expect(await kept()).toEqual([{ n: 2 }])
    expect((await undo(body.meta.batchId)).body.data).toMatchObject([{ restored: 2 }])
    const again = await edit({ old: 'x' }, [stock('lt', 3)], 'undo=7d')
    expect(again.body.meta).toEqual({ updated: 0, unchanged: 3, batchId: null })
    expect(await kept()).toEqual([{ n: 0 }])
  })

  test('is in the trash for those who may change records, and in the audit log', async () => {
    const set = { price: { $increment: 1 } }
    const { body } = await edit(set, [stock('lt', 2)], 'undo=7d')
    const { batchId } = body.meta
    const list = async (scopes: string[]) => {
      const headers = await rightsOf(['EDITOR'], scopes)
      return (await call(deps, listTrash, { path: '/api/trash', headers })).body.data
    }
    const batch = { batchId, kind: 'edit', entity: 'Book', count: 2 }
    expect(await list(['Book:update', 'Book:read'])).toEqual([expect.objectContaining(batch)])
    expect(await list(['Book:delete', 'Book:write'])).toEqual([])
    const deleter = await rightsOf(['EDITOR'], ['Book:delete', 'Book:write'])
    expect((await undo(batchId, deleter)).status).toBe(403)
    expect(
      (await remove(batchId, await rightsOf(['EDITOR'], ['Book:update', 'Book:read']))).status,
    ).toBe(403)
    const noted = await rows<JsonObject>(
      deps.db,
      sql`select action, details from engine.audit_log where object_type = 'Book'`,
    )
    expect(noted).toEqual([
      {
        action: 'records.update',
        details: {
          ...{ count: 2, updated: 2, unchanged: 0, batchId, undoDays: 7 },
          ...{ query: [stock('lt', 2)], set },
        },
      },
    ])
  })
})

test('edits at the same time come one after another, and each record gets both', async () => {
  const once = () => edit({ stock: { $increment: 1 }, title: { $append: 'x' } }, [stock('lt', 90)])
  const all = await Promise.all([once(), once(), once()])
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
  const found = await books('stock::int, title')
  expect(found).toEqual(Array.from({ length: 25 }, (_, n) => ({ stock: n + 3, title: `t${n}xxx` })))
})
