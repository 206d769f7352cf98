import { type Actor, can } from '@/lib/auth/rights'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { mayRead } from '@/lib/registry/may-read'
import type { Blocker, Effect } from '../contract'
import type { DeletionLinks } from './deletion-links'
import { countKeys, countStaying, type RemovedKeys } from './removed-keys'

/** What a deletion does beyond the records that were asked for, and what prevents it. */
export type Effects = { count: number; effects: Effect[]; blockedBy: Blocker[] }

/** `actor` null: the engine itself, which may do everything. */
export async function effectsOf(
  tx: Db,
  { order, links }: DeletionLinks,
  removed: RemovedKeys,
  actor: Actor | null,
): Promise<Effects> {
  const found: Effects = { count: 0, effects: [], blockedBy: [] }
  const shown = (entity: Entity, count: number) => (!actor || mayRead(actor, entity) ? count : null)
  for (const [at, entity] of order.entries()) {
    const keys = removed.get(entity.name)
    const count = keys ? await countKeys(tx, keys) : 0
    if (at === 0) found.count = count
    else if (count > 0) {
      requireEffect(actor, entity, 'delete')
      found.effects.push({ entity: entity.name, action: 'deleted', count: shown(entity, count) })
    }
  }
  for (const link of links) {
    if (link.onDelete === 'cascade') continue
    const count = await countStaying(tx, link, removed)
    if (count === 0) continue
    const { from, columns } = link
    const [field = ''] = columns
    const named = { entity: from.name, field, count: shown(from, count) }
    if (link.onDelete === 'restrict') found.blockedBy.push(named)
    else {
      requireEffect(actor, from, 'update')
      found.effects.push({ ...named, action: 'emptied' })
    }
  }
  return found
}

/** Whether deleting records of the entity may affect those of others, by its present definitions. */
export const hasEffects = ({ name }: Entity, entities: readonly Entity[]): boolean =>
  entities.some(({ properties }) =>
    properties.some(({ rules: { reference } }) => reference?.entity === name && reference.onDelete),
  )

const WORDS = { delete: 'would be deleted too', update: 'would lose their reference' } as const

function requireEffect(actor: Actor | null, entity: Entity, action: 'delete' | 'update'): void {
  const { name, definition } = entity
  if (!actor) return
  const isOpen = definition.permissions[action]
  if (isOpen && can(actor, { entity: name, action })) return
  const reason = isOpen
    ? `needs the right "${name}:${action}"`
    : `"${name}" forbids by its definition`
  throw new AppError('forbidden', `Records of "${name}" ${WORDS[action]}, which ${reason}`)
}
