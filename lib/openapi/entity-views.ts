import { type Actor, can, RECORD_ACTIONS, type RecordAction } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { mayRead } from '@/lib/registry/may-read'
import { linkedEntities } from '@/lib/search/describe-links'
import { type VisibleEntity, visibleEntity } from '@/lib/search/visible-entity'
import type { LinkedEntity } from '@/lib/tables/column-contract'
import type { Json } from '@/lib/values/json'

/** An entity as it is described, with valid values of its required references, by field, and the lists of linked records, if there are any. */
export type DescribedEntity = VisibleEntity & {
  references?: Record<string, Json>
  links?: LinkedEntity[]
}

/** An entity with the fields that a caller may read, and those that it may send for each other action. */
export type EntityViews = Record<RecordAction, DescribedEntity>

/** Of each of `entities` that the caller may read. Where it lacks the right to another action, the fields that it reads. */
export const viewsFor = (actor: Actor, entities: readonly Entity[]): EntityViews[] =>
  entities
    .filter((entity) => mayRead(actor, entity))
    .map((entity) => {
      const links = linkedEntities(entity, actor, entities)
      return viewsBy((action) => {
        const known = can(actor, { entity: entity.name, action }) ? action : 'read'
        const visible = visibleEntity(entity, actor, entities, known)
        return links.length > 0 ? { ...visible, links } : visible
      })
    })

export const wholeViews = (entity: Entity): EntityViews => viewsBy(() => entity)

/** The same of each view. */
export const viewsBy = (viewFor: (action: RecordAction) => DescribedEntity): EntityViews =>
  Object.fromEntries(RECORD_ACTIONS.map((action) => [action, viewFor(action)])) as EntityViews
