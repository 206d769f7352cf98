import { sql } from 'drizzle-orm'
import { FileFailure, failureOf, MAX_DETAILS, type Verdict } from '@/lib/archives/plugin-file'
import type { DeletedCounts, RecordConflict, RecordCounts, RemovedCounts } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Entity, InsertDuplicate } from '@/lib/definitions/definition'
import { followMove, noteEmptied } from '@/lib/plugins/lifecycle/deleted-records'
import { type Merged, mergeRows } from '@/lib/plugins/lifecycle/merge-rows'
import type { Origin } from '@/lib/plugins/lifecycle/origin'
import { gaveAny, gaveRecords, type Recalled } from '@/lib/plugins/lifecycle/recall-keys'
import { noteFieldNames } from '@/lib/plugins/lifecycle/record-definitions'
import { rememberCreated } from '@/lib/plugins/lifecycle/remember-created'
import { GivenKeys, removeGone } from '@/lib/plugins/lifecycle/removed-records'
import { withoutUnchanged } from '@/lib/registry/may-read'
import { findTaken } from '@/lib/rows/find-conflicts'
import { keyReader, type PreparedRow } from '@/lib/rows/prepared-row'
import { type ConflictKind, noFaults } from '@/lib/rows/record-faults'
import { type UpdateResult, updateRecords } from '@/lib/rows/update-records'
import { type WriteResult, writeRecords } from '@/lib/rows/write-records'
import { isEmpty } from './data-entity'
import { type Installer, mayReveal } from './installer-rights'
import { CHOOSE, Undecided } from './undecided'

/** What writing the records of a file did. */
export type Written = {
  counts: RecordCounts
  newExtraFields: string[]
  conflicts: RecordConflict[]
  conflictCount: number
  removed: RemovedCounts
  deleted: DeletedCounts
}

export const NOTHING_REMOVED: RemovedCounts = { total: 0, deleted: 0 }
const NOTHING_DELETED: DeletedCounts = { kept: 0, restored: 0 }
export const UNTOLD = { conflicts: [], conflictCount: 0, deleted: NOTHING_DELETED }

type Target = { entity: Entity; onDuplicate: InsertDuplicate; origin: Origin }
type Writer = Installer & { installId: number | null }
type Options = {
  /** Whether records come in several parts, which may refer to each other in any order. */
  isPart: boolean
}

export type RecordWriter = {
  /** Merges and writes records of which none has the key of an earlier part's. */
  add: (part: Recalled) => Promise<void>
  /** Settles what depends on all records. */
  end: () => Promise<Written>
}

/**
 * Merges the records of a file with what is stored and writes them, in the caller's transaction. Both functions throw `FileFailure`
 * about records that can't be written, `end` about conflicts that are to fail the file: then the transaction has to be rolled back.
 */
export async function recordWriter(
  tx: Db,
  { entity, onDuplicate, origin }: Target,
  writer: Writer,
  { isPart }: Options,
): Promise<RecordWriter> {
  const target = { entity, onDuplicate, origin }
  const isVacant = await isEmpty(tx, entity.table)
  // An emptied table is filled again, as if for the first time.
  const isFirst = onDuplicate === 'Error' || isVacant
  const wasEmptied = isVacant && (await gaveAny(tx, origin, entity))
  const isKnown = !isFirst && onDuplicate === 'Upsert' && (await gaveRecords(tx, origin, entity))
  const given = new GivenKeys(entity)
  const counts: RecordCounts = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  const names: string[] = []
  const found = { conflicts: [] as RecordConflict[], conflictCount: 0 }
  const deleted: DeletedCounts = { ...NOTHING_DELETED }
  const undecided = new Undecided()

  function noteConflicts(merged: Merged): void {
    found.conflictCount += merged.conflictCount
    found.conflicts = [...found.conflicts, ...merged.conflicts].slice(0, MAX_DETAILS)
    undecided.add(merged.undecided)
  }

  async function add(part: Recalled): Promise<void> {
    const merged = isFirst ? allNew(part.rows) : await merge(tx, target, { ...part, isKnown })
    noteConflicts(merged)
    deleted.kept += merged.deleted.kept
    deleted.restored += merged.deleted.restored
    if (undecided.count > 0) return
    // With the names that earlier parts have brought.
    const current = { ...target, entity: withNames(entity, names) }
    const whole = await write(tx, current, merged.rows, writer, isPart)
    const partial = await change(tx, current, merged.partial, writer, isPart)
    const created = whole.rows.filter(({ index }) => merged.created.has(index))
    await rememberCreated(tx, entity, origin, created, part.contents)
    counts.created += whole.counts.created
    counts.updated += whole.counts.updated + partial.counts.updated
    counts.unchanged += whole.counts.unchanged + partial.counts.unchanged + merged.unchanged
    names.push(...new Set([...whole.newExtraFields, ...partial.newExtraFields]))
    if (onDuplicate !== 'Upsert') return
    for (const rows of [merged.settled, whole.rows, partial.rows]) await given.add(rows)
  }

  async function end(): Promise<Written> {
    const isVisible = onDuplicate !== 'Upsert' || mayReveal(writer, entity.name)
    if (undecided.count > 0) {
      if (!isVisible) throw untold(entity.name)
      const groups = undecided.groups(entity)
      const { details, count } = undecided
      throw new FileFailure('Conflict Issue!', details, count, { found, groups })
    }
    if (isPart) await tx.execute(sql`set constraints all immediate`)
    await noteFieldNames(tx, writer.installId, entity, names)
    const { name } = writer.actor
    const removed =
      onDuplicate === 'Upsert' ? await removeGone(tx, entity, origin, given, name) : NOTHING_REMOVED
    await followMove(tx, entity, origin)
    if (wasEmptied) await noteEmptied(tx, entity, origin)
    const newExtraFields = names
    if (isVisible) return { counts, newExtraFields, ...found, removed, deleted }
    const told = withoutUnchanged({ ...counts, unchanged: counts.unchanged + deleted.kept })
    return { counts: told, newExtraFields, ...UNTOLD, removed: NOTHING_REMOVED }
  }

  return { add, end }
}

const untold = (name: string) =>
  new FileFailure('Conflict Issue!', [
    {
      message: `Records of "${name}" changed here and in the plugin; ${CHOOSE}. To see which ones needs the right "${name}:read"`,
    },
  ])

const withNames = (entity: Entity, added: readonly string[]): Entity =>
  added.length === 0 ? entity : { ...entity, extraFields: [...entity.extraFields, ...added] }

/** What of the part is to be written, and which of its records are new. */
async function merge(
  tx: Db,
  { entity, onDuplicate, origin }: Target,
  part: Recalled & { isKnown: boolean },
): Promise<Merged> {
  if (onDuplicate === 'Upsert')
    return mergeRows(tx, entity, origin, part, entity.definition.updateStrategy)
  const readKey = keyReader(entity)
  const keyed = part.rows.filter((row) => readKey(row) !== null)
  const primary = { columns: entity.keys, isPrimary: true }
  const stored = await findTaken(tx, entity, keyed, primary, 'Error')
  return allNew(part.rows, (index) => stored.get(index) !== null)
}

const allNew = (rows: PreparedRow[], isNew = (_: number) => true): Merged => ({
  rows,
  partial: [],
  created: new Set(rows.flatMap(({ index }) => (isNew(index) ? [index] : []))),
  settled: [],
  unchanged: 0,
  ...UNTOLD,
  undecided: [],
})

async function write(
  tx: Db,
  { entity, onDuplicate }: Target,
  rows: PreparedRow[],
  { actor }: Installer,
  isPart: boolean,
): Promise<WriteResult> {
  const { updateStrategy } = entity.definition
  const options = { onDuplicate, updateStrategy, actorName: actor.name, isPart }
  const written = await writeRecords(tx, entity, rows, options)
  if (written.kind)
    throw failureOf(VERDICT[written.kind], {
      ...(written.faults ?? noFaults()),
      details: written.conflicts,
    })
  return written
}

/** Stored records, so nothing is inserted: a required field that is kept would be missing there. */
async function change(
  tx: Db,
  { entity }: Target,
  rows: PreparedRow[],
  { actor }: Installer,
  isPart: boolean,
): Promise<UpdateResult> {
  const options = { strategy: 'Upsert', actorName: actor.name, now: new Date(), isPart } as const
  const changed = await updateRecords(tx, entity, rows, options)
  const { conflicts } = changed
  if (conflicts) throw failureOf(VERDICT[conflicts.kind ?? 'refused'], conflicts)
  return changed
}

const VERDICT: Record<ConflictKind, Verdict> = {
  duplicate: 'Conflict Issue!',
  unique: 'Conflict Issue!',
  reference: 'Missing dependency',
  refused: 'Invalid record',
}
