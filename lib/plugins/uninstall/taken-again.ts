import { inArray } from 'drizzle-orm'
import {
  entities,
  entityTypes,
  plugins,
  policies,
  type RemovedPlugins,
  roles,
  schemas,
} from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { relationExists } from '@/lib/tables/stored-tables'
import type { RestoreConflict } from '@/lib/trash/contract'
import { takenNames } from './saved-rows'

const KINDS = [
  ['entities', 'entity', entities],
  ['schemas', 'schema', schemas],
  ['types', 'type', entityTypes],
  ['roles', 'role', roles],
  ['policies', 'policy', policies],
] as const

/** What exists again by a name that an uninstalled plugin had. */
export async function takenAgain(tx: Db, removed: RemovedPlugins): Promise<RestoreConflict[]> {
  const ids = removed.plugins.map(({ id }) => String(id))
  const installed = await tx.select().from(plugins).where(inArray(plugins.id, ids))
  const conflicts = installed.map(({ id }) =>
    taken(id, `The plugin "${id}" is installed again; uninstall it first`),
  )
  const names = new Set<string>()
  for (const [kind, word, table] of KINDS)
    for (const name of await takenNames(tx, table, removed[kind])) {
      conflicts.push(taken(name, `The ${word} "${name}" exists again`))
      if (kind === 'entities') names.add(name)
    }
  for (const { entity, home } of removed.tables)
    if (!names.has(entity) && (await relationExists(tx, home)))
      conflicts.push(taken(entity, `The table ${home.schema}.${home.name} exists again`))
  return conflicts
}

const taken = (key: string, message: string): RestoreConflict => ({
  key,
  reason: 'name-taken',
  fields: [],
  message,
})
