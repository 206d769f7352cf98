import { sql } from 'drizzle-orm'
import { entities } from '@/lib/db/schema/entities'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { loadEntities } from '@/lib/registry/registry'
import { selectEntities } from '@/lib/registry/registry-rows'
import { inverseReferences } from './inverse'

/** The entity with the names of its lists of linked records, if files could bring fields of these names. */
export function withListNames(entity: Entity, installed: readonly Entity[]): Entity {
  if (!entity.open) return entity
  const listNames = inverseReferences(entity, installed).flatMap(({ name, far }) =>
    far ? [name] : [],
  )
  return listNames.length > 0 ? { ...entity, listNames } : entity
}

/** The same among the entities as `db` has them; most have no link, so that all are read only for one that has. */
export async function withStoredListNames(db: Db, entity: Entity): Promise<Entity> {
  if (!entity.open) return entity
  const links = await selectEntities(db, sql`${entities.definition} -> 'link' = 'true'`)
  const isLinked = links.some(({ schema }) =>
    schema?.properties.some(({ rules }) => rules.reference?.entity === entity.name),
  )
  return isLinked ? withListNames(entity, await loadEntities(db)) : entity
}
