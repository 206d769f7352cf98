import type { Entity } from '@/lib/definitions/definition'
import type { JsonObject } from '@/lib/values/json'
import { linkLists } from '../links/link-lists'
import { requireNone } from '../links/sent-links'
import { childLists } from './child-lists'

/** Throws `invalid_input` for names of lists among those that an edit of all matching records sets. */
export function refuseLists(entity: Entity, set: JsonObject, entities: readonly Entity[]): void {
  const [links, children] = [linkLists(entity, entities), childLists(entity, entities)]
  requireNone(
    Object.keys(set).flatMap((name) => {
      const child = children.get(name)
      const what = links.has(name) ? 'linked records' : child && `records of ${child.entity.name}`
      const error = `is a list of ${what}: write it with each record`
      return what ? [{ field: `set.${name}`, error }] : []
    }),
  )
}
