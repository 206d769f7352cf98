import { randomUUID } from 'node:crypto'
import { added } from '@/lib/around'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { countKept, type ImportKeep } from '@/lib/records/kept-imports'
import { requireRead } from '@/lib/registry/may-read'
import { tellsUnchanged } from '../import-rules'
import { UNDOABLE } from '../open-import'
import type { Work } from './run-import'

type Asked = Pick<Work, 'undo' | 'plan' | 'actor'>

/** Null where it was not asked for, or nothing would keep it. Throws `forbidden`: an undo tells which records have been changed since. */
export function keepFor(
  deps: Deps,
  entity: Entity,
  { undo, plan, actor }: Asked,
): ImportKeep | null {
  if (undo === undefined) return null
  requireRead(actor, entity, UNDOABLE)
  if (added(deps, 'editKeepers').length === 0) return null
  return { batchId: randomUUID(), forgetsUnchanged: tellsUnchanged(plan.rules) }
}

/** The id by which it can be undone; null where it changed nothing. */
export async function closeKept(
  deps: Deps,
  tx: Db,
  entity: Entity,
  keep: ImportKeep,
  { undo: days = 0, actor }: Asked,
): Promise<string | null> {
  const found = await countKept(tx, keep)
  if (found.count === 0) return null
  const batch = { kind: 'import', id: keep.batchId, ...found, days, deletedBy: actor.name } as const
  for (const keepBatch of added(deps, 'editKeepers')) await keepBatch(tx, entity, batch)
  return keep.batchId
}
