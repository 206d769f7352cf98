import { createHash } from 'node:crypto'
import type { AddedIndex, Entity } from '@/lib/definitions/definition'
import { ADDED_PREFIX } from '@/lib/tables/table-indexes'
import { specOf } from './serving-index'

/** Its name in the database; for one that can't be built, a name of its own by which it can be removed. */
export function addedIndexName(entity: Entity, { error: _, ...added }: AddedIndex): string {
  const spec = specOf(entity, added)
  if (spec) return spec.name
  const hash = createHash('sha256')
    .update(JSON.stringify([added.kind, added.parts]))
    .digest('hex')
  return `${ADDED_PREFIX}_unbuilt_${hash.slice(0, 10)}`
}
