import { sql } from 'drizzle-orm'
import { rows } from '@/lib/db/sql'
import { installTestEntity } from '@/lib/testing/entity'
import type { Files } from './plugin-api'
import { deps, type Version, version } from './versions'

const PKS = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
export const toThing = (name: string, onDelete?: string) => ({
  name,
  type: 'decimal',
  reference: { entity: 'Thing', field: 'id', ...(onDelete ? { onDelete } : {}) },
})

/** An entity of others, whose records refer to things. */
export async function notesAboutThings(onDelete: string, ...records: object[]): Promise<void> {
  const schema = { properties: [toThing('thing', onDelete)] }
  await installTestEntity(deps, { entity: { name: 'Note', pks: PKS }, schema }, records)
}

/** A version whose plugin also gives such notes. */
export const withNotes = (things: Version, onDelete: string, notes: object[]): Files => ({
  ...version(things),
  'EngineEntities/Note.json': { name: 'Note', pks: PKS, insertDuplicate: 'Upsert' },
  'EngineSchemas/Note.json': { name: 'Note', properties: [toThing('thing', onDelete)] },
  'Note/__manifest__.json': { target: 'Note' },
  'Note/data.json': notes,
})

/** Key → thing. */
export async function notes(): Promise<Record<string, number | null>> {
  const query = sql`select id::text as id, thing::float8 as thing from entities.note`
  const found = await rows<{ id: string; thing: number | null }>(deps.db, query)
  return Object.fromEntries(found.map(({ id, thing }) => [id, thing]))
}

export const addNote = (id: number, thing: number) =>
  deps.db.execute(
    sql`insert into entities.note (id, thing) values (${id}::numeric, ${thing}::numeric)`,
  )
