import type { Actor } from '@/lib/auth/rights'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { mayRead } from '@/lib/registry/may-read'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { restrictedTarget } from '@/lib/search/restricted-target'
import type { OwnerPair } from './owner-values'
import { judgeRows } from './rule/judge'

/** A list whose records, of `entity`, have values of others by `pairs`. */
type Showing = { name: string; entity: Entity; pairs: readonly OwnerPair[] }
type Writer = { actor: Actor; entities: readonly Entity[] }

/**
 * Throws `forbidden` where records of a list would show values of a record of `entity` that the writer may not read; its key may be
 * known.
 */
export function requireShownValues(
  entity: Entity,
  list: Showing,
  { actor, entities }: Writer,
): void {
  const names = shownBeyondKey(entity, list)
  if (names.length === 0) return
  const fields = mayRead(actor, entity) ? restrictedTarget(entity, actor, entities).fields : []
  const isShown = (name: string) => fields.some((field) => field.name === name && !field.mask)
  if (!names.every(isShown)) throw valuesHidden(entity, list)
}

/** Throws the same where they would show those of a record, as it is stored now, that is hidden as a whole. */
export async function requireShownRows(
  tx: Db,
  entity: Entity,
  list: Showing,
  rows: PreparedRow[],
  { actor, entities }: Writer,
): Promise<void> {
  if (shownBeyondKey(entity, list).length === 0) return
  const { rule } = restrictedTarget(entity, actor, entities)
  if (!rule) return
  const held = await judgeRows(tx, entity, rows, { joins: rule.joins, conditions: [rule.sql] })
  if (rows.some(({ index }) => held.get(index)?.[0] !== true)) throw valuesHidden(entity, list)
}

const shownBeyondKey = ({ keys }: Entity, { pairs }: Showing): string[] =>
  pairs.map(({ own }) => own.name).filter((name) => !keys.includes(name))

const valuesHidden = (entity: Entity, { name, entity: referring }: Showing) =>
  new AppError(
    'forbidden',
    `To write "${name}" you need to read the fields of "${entity.name}" that "${referring.name}" refers to`,
  )
