import { type Actor, can, RECORD_ACTIONS, type RecordAction } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import { mayRead } from '@/lib/registry/may-read'
import { type EntityLists, listsOf } from '@/lib/search/describe-links'
import { type VisibleEntity, visibleEntity } from '@/lib/search/visible-entity'
import type { Json } from '@/lib/values/json'

/** An entity as it is described, with valid values of its required references, by field, and the lists that its records have. */
export type DescribedEntity = VisibleEntity & {
  references?: Record<string, Json>
} & Partial<EntityLists>

/** An entity with the fields that a caller may read, and those that it may send for each other action. */
export type EntityViews = Record<RecordAction, DescribedEntity>

/** Of each of `entities` that the caller may read. Where it lacks the right to another action, the fields that it reads. */
export const viewsFor = (actor: Actor, entities: readonly Entity[]): EntityViews[] =>
  entities
    .filter((entity) => mayRead(actor, entity))
    .map((entity) => {
      const lists = listsOf(entity, actor, entities)
      return viewsBy((action) => {
        const known = can(actor, { entity: entity.name, action }) ? action : 'read'
        const visible = visibleEntity(entity, actor, entities, known)
        return lists.links.length + lists.children.length > 0 ? { ...visible, ...lists } : visible
      })
    })

export const wholeViews = (entity: Entity): EntityViews => viewsBy(() => entity)

/** The same of each view. */
export const viewsBy = (viewFor: (action: RecordAction) => DescribedEntity): EntityViews =>
  Object.fromEntries(RECORD_ACTIONS.map((action) => [action, viewFor(action)])) as EntityViews
