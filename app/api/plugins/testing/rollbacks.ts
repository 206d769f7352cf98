import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { rows } from '@/lib/db/sql'
import { databaseState } from '@/lib/testing/database-state'
import { call } from '@/lib/testing/request'
import { POST } from '../history/[id]/rollback/route'
import { type Files, install } from './plugin-api'
import { deps, integer, text, type Version, version } from './versions'

export const rollback = (id: number, query = '', as = 'ADMIN') =>
  call(deps, POST, {
    method: 'POST',
    path: `/api/plugins/history/${id}/rollback${query}`,
    params: { id: String(id) },
    as,
  })

export async function run(files: Files, query = ''): Promise<number> {
  const { body } = await install(deps, files, { query })
  expect(body.data.failedCount).toBe(0)
  return body.data.history
}

/** Everything but the history, the audit log, the trash, and counters and totals, which go on. */
export async function state() {
  const all = await databaseState(deps.db)
  const passed =
    /^engine\.(installs|install_files|plugin_changes|plugin_definition_changes|audit_log|trash_|entity_total|idempotency|.*_seq$)|^entities\.(.*_seq$|sq_)/
  return Object.fromEntries(Object.entries(all).filter(([name]) => !passed.test(name)))
}

export const v1 = (more: Version = {}) =>
  version({
    properties: [text('name'), integer('price')],
    records: [
      { id: 1, name: 'Cup', price: 3, color: 'red' },
      { id: 2, name: 'Dish', price: 5 },
      { id: 3, name: 'Fork', price: 1 },
    ],
    ...more,
  })

export const v2 = () =>
  version({
    properties: [text('title', {}), text('price'), integer('stock', { default: 2 })].map((one) =>
      one.name === 'title' ? { ...one, renamedFrom: 'name' } : one,
    ),
    records: [
      { id: 1, title: 'Mug', price: '4 EUR', color: 'blue', stock: 9 },
      { id: 2, title: 'Dish', price: '5' },
      { id: 4, title: 'Knife', price: '7' },
    ],
  })

/** Must succeed; returns the number of the rollback. */
export async function rolledBack(id: number): Promise<number> {
  const { status, body } = await rollback(id)
  expect([status, body.error]).toEqual([200, undefined])
  return body.data.history
}

/**
 * Rolls an install back and that back too, and compares what is stored before and after each.
 * Returns the number of the second rollback.
 */
export async function undoTwice(install: () => Promise<number>): Promise<number> {
  const before = await state()
  const id = await install()
  const after = await state()
  const back = (await rollback(id)).body.data.history
  expect(await state()).toEqual(before)
  const again = (await rollback(back)).body.data.history
  expect(await state()).toEqual(after)
  return again
}

export async function namesSeen(): Promise<string[] | undefined> {
  const query = sql`select extra_fields as names from engine.entities where name = 'Thing'`
  return (await rows<{ names: string[] }>(deps.db, query))[0]?.names
}

export async function columns(): Promise<string[]> {
  const query = sql`select attname::text as name from pg_attribute
    where attrelid = 'entities.thing'::regclass and attnum > 0 and not attisdropped order by 1`
  return (await rows<{ name: string }>(deps.db, query)).map(({ name }) => name)
}
