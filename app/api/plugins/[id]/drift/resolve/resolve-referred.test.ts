import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { call } from '@/lib/testing/request'
import { resolve } from '../../../testing/drifted-things'
import { notes, notesAboutThings } from '../../../testing/referring-notes'
import { deps, search } from '../../../testing/versions'
import { POST } from './route'

const PLUGIN = 'com.example.shop'

/** Takes the added record back with a key of these scopes. */
const revert = (...scopes: string[]) =>
  call(deps, POST, {
    method: 'POST',
    path: `/api/plugins/${PLUGIN}/drift/resolve`,
    params: { id: PLUGIN },
    body: { entity: 'Thing', keys: ['11'], action: 'revert' },
    as: 'ADMIN',
    scopes: ['plugins:install', 'Thing:*', ...scopes],
  })

const EFFECTS = [
  ['cascade', 'Note:delete', { entity: 'Note', action: 'deleted' }, {}],
  ['setNull', 'Note:update', { entity: 'Note', field: 'thing', action: 'emptied' }, { 1: null }],
] as const

for (const [onDelete, right, effect, left] of EFFECTS)
  test(`an added record goes as by a deletion of the caller (${onDelete})`, async () => {
    await notesAboutThings(onDelete, { id: 1, thing: 11 })
    const before = await search()
    expect((await revert('Note:read')).status).toBe(403)
    expect([await search(), await notes()]).toEqual([before, { 1: 11 }])
    const { status, body } = await revert('Note:read', right)
    expect([status, body.data]).toEqual([
      200,
      [{ resolved: 1, effects: [{ ...effect, count: 1 }] }],
    ])
    expect(await notes()).toEqual(left)
    const kept = await rows<{ entity: string; count: number }>(
      deps.db,
      sql`select entity, record_count::int as count from engine.trash_batches order by entity`,
    )
    expect(kept).toEqual([
      { entity: 'Note', count: 1 },
      { entity: 'Thing', count: 1 },
    ])
    const [audit] = await rows<{ effects: object[] }>(
      deps.db,
      sql`select details -> 'effects' as effects from engine.audit_log where action = 'plugins.revert'`,
    )
    expect(audit?.effects).toEqual([{ ...effect, count: 1 }])
  })

test('a record that refers to it otherwise prevents it', async () => {
  await notesAboutThings('restrict', { id: 1, thing: 11 })
  expect((await resolve('revert', ['11'])).status).toBe(409)
  expect(await notes()).toEqual({ 1: 11 })
})
