import { recordAudit } from '@/lib/audit/record-audit'
import { type Actor, requireRight } from '@/lib/auth/rights'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { type KeptEdit, keptEdits } from '@/lib/records/kept-edits'
import { judgeStored } from '@/lib/records/rows-that-may'
import { verifyWritten } from '@/lib/records/verify-written'
import type { WriteRule } from '@/lib/records/write-rule'
import { requireRead } from '@/lib/registry/may-read'
import { beginPreparation, tooSlowToMatch } from '@/lib/rows/prepare-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { lockRecords, readRecords, takeTurn } from '@/lib/rows/select-records'
import type { JsonObject } from '@/lib/values/json'
import { limitsOf, requireThere, writeRuleIn } from './limits'
import { lockedEntity } from './restore/prepare-restoration'
import {
  notFitting,
  type Problems,
  recordEditProblems,
  sinceThen,
  without,
  writeBack,
} from './restore/write-back'
import type { RestoreBatch, Restored } from './restore-batch'
import { clearProblems, getBatch, removeRestored, selectConflicts, toConflict } from './store'

/**
 * Gives records the values back that they had before an edit, where they still have those that the edit gave them;
 * other fields stay as they are. Records that were changed or deleted since, or don't take the values any more, stay
 * in the trash with the reason. It tells where records still have what an edit gave them, so it needs the right to read.
 * One transaction. Throws `not_found`, `forbidden`, `conflict` when the entity is no longer installed.
 */
export async function restoreEdit(
  deps: Deps,
  { batchId, actor, requestId }: RestoreBatch,
): Promise<Restored> {
  const limits = await limitsOf(deps, actor)
  return deps.db.transaction(async (tx) => {
    const batch = await getBatch(tx, batchId, { lock: true })
    requireRight(actor, { entity: batch.entity, action: 'update' })
    const entity = await changeable(tx, batch.entity)
    requireRead(actor, entity, 'Taking an edit back')
    await requireThere(tx, limits, batch)
    const rule = writeRuleIn(limits, entity.name, 'update')
    await clearProblems(tx, batchId)
    await takeTurn(tx, entity)
    let restored = 0
    for await (const edits of keptEdits(tx, batchId, batch.keys)) {
      const problems = await restorePart(tx, entity, edits, { actor, rule })
      await recordEditProblems(tx, batchId, problems)
      restored += edits.length - problems.size
    }
    await removeRestored(tx, batch, restored)
    const conflictCount = batch.recordCount - restored
    await recordAudit(tx, actor, {
      ...{ action: 'records.restore', objectType: batch.entity, requestId },
      details: { batchId, kind: 'edit', restored, conflicts: conflictCount },
    })
    const conflicts = conflictCount > 0 ? await selectConflicts(tx, batch) : []
    return { restored, conflicts: conflicts.map((one) => toConflict(one)), conflictCount }
  })
}

async function changeable(tx: Db, name: string): Promise<Entity> {
  const entity = await lockedEntity(tx, name)
  if (entity.definition.permissions.update) return entity
  throw new AppError('forbidden', `The entity "${name}" forbids changes by its definition`)
}

/** Returns what stands in the way, by the ids of the edits; the others are written. */
export async function restorePart(
  tx: Db,
  entity: Entity,
  edits: KeptEdit[],
  { actor, rule }: { actor: Actor; rule: WriteRule | null },
): Promise<Problems> {
  const problems: Problems = new Map()
  const prepared = await prepare(entity, edits, problems)
  const missing = await lockRecords(tx, entity, prepared)
  const found = without(prepared, missing)
  for (const { index } of missing) {
    const edit = edits[index]
    if (edit) problems.set(edit.id, { reason: 'record-gone', fields: [], value: null })
  }
  const present = await readRecords(tx, entity, found)
  const same = found.filter(({ index }, at) => {
    const edit = edits[index]
    const problem = edit && sinceThen(edit, present[at] ?? {})
    if (edit && problem) problems.set(edit.id, problem)
    return edit && !problem
  })
  const before = rule ? await judgeStored(tx, rule, same) : undefined
  const signature = { actorName: actor.name, now: new Date() }
  await writeBack(tx, entity, same, signature, (index, problem) => {
    const edit = edits[index]
    if (edit) problems.set(edit.id, problem)
  })
  const written = same.filter(({ index }) => !problems.has(edits[index]?.id ?? 0))
  await verifyWritten(tx, rule, written, written, 'batch', before)
  return problems
}

/** The former values by the present rules. */
async function prepare(
  entity: Entity,
  edits: readonly KeptEdit[],
  problems: Problems,
): Promise<PreparedRow[]> {
  const exceeded = () => new AppError('invalid_input', tooSlowToMatch('one restoration', 'records'))
  const preparation = beginPreparation(entity, 'update', { matchingMs: MATCHING_MS, exceeded })
  const rows: PreparedRow[] = []
  const records = edits.map(({ key, before, after }): JsonObject => {
    const fields = Object.keys(after).map((name) => [name, before[name] ?? null])
    return { ...key, ...Object.fromEntries(fields) }
  })
  await preparation.add(records, (row) => rows.push(row))
  const valid = new Set(rows.map(({ index }) => index))
  const { details } = preparation.faults
  for (const [index, edit] of edits.entries())
    if (!valid.has(index)) {
      const detail = details.find((one) => one.index === index)
      problems.set(edit.id, notFitting(edit, detail))
    }
  return rows
}

/** The time limit for matching patterns in the records of one part. */
const MATCHING_MS = 1_000
