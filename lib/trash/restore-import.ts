import { eq } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { type Actor, requireRight } from '@/lib/auth/rights'
import { imports, type TrashBatchRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { isChanged, isCreated, keptEdits } from '@/lib/records/kept-edits'
import { requireRead } from '@/lib/registry/may-read'
import { lockRecords, readRecords, takeTurn } from '@/lib/rows/select-records'
import { type Limits, limitsOf, requireThere, writeRuleIn } from './limits'
import { lockedEntity } from './restore/prepare-restoration'
import { prepareKeys, removeImported, sinceCreated } from './restore/remove-imported'
import { type Problems, recordEditProblems } from './restore/write-back'
import type { RestoreBatch, Restored } from './restore-batch'
import { restorePart } from './restore-edit'
import { clearProblems, getBatch, removeRestored, selectConflicts, toConflict } from './store'

/**
 * Undoes an import: removes the records that it created, and gives those that it changed their former values back, as
 * `restoreEdit` does. Records that were changed since, or that others refer to, stay as they are and in the trash with the
 * reason. One transaction. Throws `not_found`, `forbidden`, `conflict` when the entity is no longer installed.
 */
export async function restoreImport(
  deps: Deps,
  { batchId, actor, requestId }: RestoreBatch,
): Promise<Restored> {
  const limits = await limitsOf(deps, actor)
  return deps.db.transaction(async (tx) => {
    const batch = await getBatch(tx, batchId, { lock: true })
    requireUndoRights(actor, batch)
    const entity = await lockedEntity(tx, batch.entity)
    requireOpen(entity, batch)
    requireRead(actor, entity, 'Undoing an import')
    await requireThere(tx, limits, batch)
    await clearProblems(tx, batchId)
    await takeTurn(tx, entity)
    const { removed, restored } = await undo(tx, entity, batch, limits)
    await removeRestored(tx, batch, removed + restored, removed)
    const conflictCount = batch.recordCount - removed - restored
    if (conflictCount === 0)
      await tx.update(imports).set({ status: 'UNDONE' }).where(eq(imports.batchId, batchId))
    await recordAudit(tx, actor, {
      ...{ action: 'records.restore', objectType: batch.entity, requestId },
      details: { batchId, kind: 'import', removed, restored, conflicts: conflictCount },
    })
    const conflicts = conflictCount > 0 ? await selectConflicts(tx, batch) : []
    return {
      restored: removed + restored,
      conflicts: conflicts.map((one) => toConflict(one)),
      conflictCount,
    }
  })
}

type Kept = Pick<TrashBatchRow, 'entity' | 'recordCount' | 'createdCount'>

/** What undoing an import does to records. */
const undoActions = ({ recordCount, createdCount }: Omit<Kept, 'entity'>) => [
  ...(createdCount > 0 ? (['delete'] as const) : []),
  ...(createdCount < recordCount ? (['update'] as const) : []),
]

export function requireUndoRights(actor: Actor, batch: Kept): void {
  for (const action of undoActions(batch)) requireRight(actor, { entity: batch.entity, action })
}

const WORDS = { delete: 'deletions', update: 'changes' } as const

function requireOpen({ name, definition }: Entity, batch: Kept): void {
  const closed = undoActions(batch).find((action) => !definition.permissions[action])
  if (!closed) return
  throw new AppError('forbidden', `The entity "${name}" forbids ${WORDS[closed]} by its definition`)
}

/** New records may keep changed ones from their former values, and changed ones may refer to new ones: so some go before, some after. */
async function undo(
  tx: Db,
  entity: Entity,
  batch: TrashBatchRow,
  limits: Limits,
): Promise<{ removed: number; restored: number }> {
  const { id, keys } = batch
  const rules = {
    update: writeRuleIn(limits, entity.name, 'update'),
    delete: writeRuleIn(limits, entity.name, 'delete'),
  }
  for await (const edits of keptEdits(tx, id, keys, isCreated))
    await recordEditProblems(tx, id, await findChanged(tx, entity, batch, edits))
  const removal = { entity, batch, rule: rules.delete }
  let removed = await removeImported(tx, removal, { isLast: false })
  let restored = 0
  for await (const edits of keptEdits(tx, id, keys, isChanged)) {
    const problems = await restorePart(tx, entity, edits, {
      actor: limits.actor,
      rule: rules.update,
    })
    await recordEditProblems(tx, id, problems)
    restored += edits.length - problems.size
  }
  removed += await removeImported(tx, removal, { isLast: true })
  return { removed, restored }
}

/** What keeps records that the import created from being removed, by their ids in the trash. The others are locked. */
async function findChanged(
  tx: Db,
  entity: Entity,
  batch: TrashBatchRow,
  edits: Parameters<typeof prepareKeys>[1],
): Promise<Problems> {
  const problems: Problems = new Map()
  const rows = await prepareKeys(entity, edits, problems)
  const missing = new Set(await lockRecords(tx, entity, rows))
  const found = rows.filter((row) => !missing.has(row))
  const present = await readRecords(tx, entity, found)
  const deleted = { reason: 'record-gone', fields: [], value: null } as const
  for (const { index } of missing) problems.set(edits[index]?.id ?? 0, { ...deleted, fields: [] })
  for (const [at, { index }] of found.entries()) {
    const edit = edits[index]
    const problem = edit && sinceCreated(entity, batch, edit, present[at] ?? {})
    if (edit && problem) problems.set(edit.id, problem)
  }
  return problems
}
