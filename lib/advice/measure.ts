import type { AddedIndex, Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { servingIndex, specOf } from './serving-index'
import { writeSlowSearches } from './slow-searches'
import { beginMeasuring, endMeasuring, findShapes } from './store'
import { suggestIndexes } from './suggest-indexes'

/** From now on, the figures of the shapes that the index serves are compared with those until now. */
export async function measureFrom(deps: Deps, entity: Entity, added: AddedIndex): Promise<void> {
  await writeSlowSearches(deps)
  await beginMeasuring(deps.db, entity.name, await shapesServed(deps, entity, added))
}

/** The index is gone: the figures from before apply again. */
export async function stopMeasuring(deps: Deps, entity: Entity, added: AddedIndex): Promise<void> {
  await writeSlowSearches(deps)
  await endMeasuring(deps.db, entity.name, await shapesServed(deps, entity, added))
}

async function shapesServed(deps: Deps, entity: Entity, added: AddedIndex): Promise<string[]> {
  const name = specOf(entity, added)?.name
  const alone = { ...entity, addedIndexes: [added] }
  const shapes = await findShapes(deps.db, entity.name)
  return shapes
    .filter(({ shape }) =>
      suggestIndexes(entity, shape).indexes.some(
        ({ request }) => servingIndex(alone, request) === name,
      ),
    )
    .map(({ hash }) => hash)
}
