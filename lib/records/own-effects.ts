import { type SQL, sql } from 'drizzle-orm'
import { type Actor, can } from '@/lib/auth/rights'
import { type Db, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { columnList } from '@/lib/rows/record-columns'
import type { DeletionLinks } from './deletion-links'
import { countOf, type RemovedKeys, staying } from './removed-keys'
import { rowsThatMay } from './rows-that-may'
import { type WriteAction, writeRuleAmong } from './write-rule'

/**
 * Throws `forbidden` when a deletion removes records, or empties references of some, that policies do not let the caller
 * delete or change. It does not say which: they may be hidden.
 */
export async function requireOwn(
  tx: Db,
  { order, links, entities }: DeletionLinks,
  removed: RemovedKeys,
  actor: Actor,
): Promise<void> {
  // Without the right, the effect is refused by name.
  const ruleFor = (entity: Entity, action: WriteAction) =>
    can(actor, { entity: entity.name, action })
      ? writeRuleAmong(actor, entity, action, entities)
      : null
  for (const entity of order) {
    const rule = ruleFor(entity, 'delete')
    const keys = columnList(entity.keys)
    const going = sql`(${keys}) in (select ${keys} from ${removed.get(entity.name)})`
    if (rule) await requireAll(tx, entity, going, rowsThatMay(rule).where)
  }
  for (const link of links.filter(({ onDelete }) => onDelete === 'setNull')) {
    const rule = ruleFor(link.from, 'update')
    const fields = link.columns.slice(0, 1)
    if (rule)
      await requireAll(
        tx,
        link.from,
        staying(link, removed),
        rowsThatMay(rule, undefined, fields).where,
      )
  }
}

async function requireAll(tx: Db, { table }: Entity, affected: SQL, allowed: SQL): Promise<void> {
  const others = sql`${tableSql(table)} as "$row" where ${affected} and (${allowed}) is not true`
  if ((await countOf(tx, others)) === 0) return
  throw new AppError(
    'forbidden',
    'Other records would be deleted too, or lose their reference, and policies do not let you do that. Nothing was deleted',
  )
}
