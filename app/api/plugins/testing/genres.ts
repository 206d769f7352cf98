import { sql } from 'drizzle-orm'
import { rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { pluginFiles } from '@/lib/testing/archive'
import type { Files } from './plugin-api'

export type Strategy = 'AutoIncrement' | 'UUID'
type Options = { onDuplicate?: string; strategy?: Strategy; plugin?: object; file?: string }

/** A plugin with genres without keys. */
export function genres(records: object[], options: Options = {}): Files {
  const { onDuplicate = 'Upsert', strategy = 'AutoIncrement', plugin, file = 'data.json' } = options
  const type = strategy === 'UUID' ? 'string' : 'number'
  return pluginFiles(
    {
      EngineEntities: {
        files: { 'Genre.json': { name: 'Genre', pks: [{ key: 'id', strategy, type }] } },
      },
      Genre: {
        manifest: { target: 'Genre', insertDuplicate: onDuplicate },
        files: { [file]: records },
      },
    },
    plugin,
  )
}

export const storedGenres = (deps: Deps) =>
  rows<{ name: string }>(
    deps.db,
    sql`select "$extra" ->> 'name' as name from entities.genre order by 1`,
  ).then((found) => found.map(({ name }) => name))

export const THREE = [
  { name: 'Crime', tags: { a: 1, b: [2] } },
  { name: 'Poetry' },
  { name: 'Poetry' },
]
