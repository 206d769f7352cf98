import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { rows } from '@/lib/db/sql'
import { pluginFiles } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { emptyTrash } from '@/lib/trash/empty-trash'
import { DELETE as REMOVE } from '../../trash/[batchId]/route'
import { GET as DRIFT } from '../[id]/drift/route'
import type { Files } from './plugin-api'
import { restore, uninstall } from './uninstall-api'
import { deps, installed } from './versions'

export const ID = 'com.example.versions'

const SCHEMA = { properties: ['v', 'w'].map((name) => ({ name, type: 'string' })) }
const PKS = [{ key: 'id', strategy: 'Fixed', type: 'string' }]
const definitions = (name: string, more: object) => ({
  EngineSchemas: { files: { 's.json': { name, ...SCHEMA } } },
  EngineEntities: { files: { 'e.json': { name, pks: PKS, insertDuplicate: 'Upsert', ...more } } },
})
const input = (v: string) => ['a', 'b'].map((id) => ({ id, v, w: v }))

/** A version that gives two records, all of whose fields have this value. */
export const versionOf = (v: string, { id = ID, name = 'Item', more = {} } = {}): Files =>
  pluginFiles(
    { ...definitions(name, more), [name]: { files: { 'data.json': input(v) } } },
    { id, name: id },
  )

/** Another plugin, which gives the same records a value that the first one does not give. */
export const NOTES_ID = 'com.example.notes'
export const notesPlugin = (note: string): Files =>
  pluginFiles(
    { Item: { files: { 'notes.json': ['a', 'b'].map((id) => ({ id, note })) } } },
    { id: NOTES_ID, name: NOTES_ID },
  )

export const edit = (table = 'item') =>
  deps.db.execute(sql`update ${sql.raw(`entities.${table}`)} set w = 'edited' where id = 'b'`)

/** The difference which that makes. */
export const edited = (base: string, entity = 'Item') => ({
  ...{ entity, key: 'b', change: 'edited' },
  fields: [{ field: 'w', base, ours: 'edited' }],
})

/** An installation that ends in the trash: the plugin is installed, a record edited, and the plugin uninstalled. */
export async function editedThenUninstalled(v: string): Promise<string> {
  await installed(versionOf(v))
  await edit()
  return toTrash()
}

/** Returns the batch. */
export async function toTrash(query = ''): Promise<string> {
  const { status, body } = await uninstall(deps, ID, query)
  expect(status).toBe(200)
  return body.data[0].batchId
}

export async function restored(batchId: string): Promise<void> {
  expect((await restore(deps, batchId)).body.data).toMatchObject([{ conflicts: [] }])
}

export async function remove(batchId: string): Promise<void> {
  const request = { method: 'DELETE', path: `/api/trash/${batchId}`, params: { batchId } }
  expect((await call(deps, REMOVE, { ...request, as: 'ADMIN' })).status).toBe(200)
}

export async function expire(batchId: string): Promise<void> {
  await deps.db.execute(
    sql`update engine.trash_batches set expires_at = now() where id = ${batchId}::uuid`,
  )
  await emptyTrash(deps)
}

export const driftOf = async (id = ID) =>
  (await call(deps, DRIFT, { path: `/api/plugins/${id}/drift`, params: { id }, as: 'ADMIN' })).body
    .data

export const stored = (table = 'item') =>
  rows(deps.db, sql`select id, v, w from ${sql.raw(`entities.${table}`)} order by id`)

/** The number of records that are remembered, whatever of. */
export async function remembered(): Promise<number> {
  const found = await rows<{ total: number }>(
    deps.db,
    sql`select count(*)::int as total from engine.plugin_records`,
  )
  return found[0]?.total ?? 0
}
