import { eq, or, sql } from 'drizzle-orm'
import { entities } from '@/lib/db/schema/entities'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { loadEntities } from '@/lib/registry/registry'
import { mergeEntity, selectEntities } from '@/lib/registry/registry-rows'
import { inverseReferences } from './inverse'

/** The entity with the names of its lists of linked records, if files could bring fields of these names. */
export function withListNames(entity: Entity, installed: readonly Entity[]): Entity {
  if (!entity.open) return entity
  const listNames = inverseReferences(entity, installed).flatMap(({ name, far }) =>
    far ? [name] : [],
  )
  return listNames.length > 0 ? { ...entity, listNames } : entity
}

/** The installed entity of exactly this name, the same, as `db` has it; all are read only where a link refers to it. */
export async function entityWithListNames(db: Db, name: string): Promise<Entity | undefined> {
  const isLink = sql`${entities.definition} -> 'link' = 'true'`
  const found = await selectEntities(db, or(eq(entities.name, name), isLink))
  const own = found.find(({ row }) => row.name === name)
  if (!own) return undefined
  const entity = mergeEntity(own.row, own.schema)
  const isLinked = found.some(
    ({ row, schema }) =>
      row.definition.link &&
      schema?.properties.some(({ rules }) => rules.reference?.entity === name),
  )
  return isLinked && entity.open ? withListNames(entity, await loadEntities(db)) : entity
}
