import type { RecordConflict, RecordCounts, RemovedCounts } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Entity, InsertDuplicate, UpdateStrategy } from '@/lib/definitions/definition'
import { noteFieldNames } from '@/lib/plugins/lifecycle/field-names'
import { type Merged, mergeRows } from '@/lib/plugins/lifecycle/merge-rows'
import { type Choices, type Origin, originOf } from '@/lib/plugins/lifecycle/origin'
import { type Recalled, recallKeys } from '@/lib/plugins/lifecycle/recall-keys'
import { rememberCreated } from '@/lib/plugins/lifecycle/remember-created'
import { removeGone } from '@/lib/plugins/lifecycle/remove-gone'
import type { PlannedFile } from '@/lib/plugins/plugin-file'
import { FileFailure, type Verdict } from '@/lib/plugins/verdict'
import type { ConflictKind } from '@/lib/records/conflicts'
import { findTaken } from '@/lib/records/find-conflicts'
import { keyReader, packer } from '@/lib/records/packed-row'
import type { PreparedRow } from '@/lib/records/prepared-row'
import { withoutUnchanged } from '@/lib/records/record-response'
import { type UpdateResult, updateRecords } from '@/lib/records/update-records'
import { type WriteResult, writeRecords } from '@/lib/records/write-records'
import { entityNamed, isEmpty, lockForWriting } from './data-entity'
import { type Installer, mayReveal, requireDataRights } from './installer-rights'
import { readRows } from './read-rows'

/** Who installs, and what the request says about records that were changed here. */
export type DataInstaller = Installer & Choices & { installId: number | null }

/** The records of a data file, checked against the entity's definition at that time. */
export type PreparedData = Recalled & { entity: Entity; onDuplicate: InsertDuplicate }

/**
 * Reads and checks a data file without writing, if the installer may write its records. Throws errors
 * that `toFailure` understands.
 */
export async function prepareData(
  db: Db,
  file: PlannedFile,
  installer: DataInstaller,
): Promise<PreparedData> {
  const entity = await entityNamed(db, file.target ?? '')
  const onDuplicate = file.insertDuplicate ?? entity.definition.insertDuplicate
  requireDataRights(installer, entity, onDuplicate)
  const reader = readRows(file, entity)
  const pack = packer(entity)
  const rows: PreparedRow[] = []
  for await (const _ of reader.read((row) => rows.push(pack(row)))) {
    // For a file that is written all or none, records are only counted after the first fault.
    if (reader.faults().faultCount > 0) rows.length = 0
  }
  const { faults, faultCount } = reader.faults()
  if (faultCount > 0) throw new FileFailure('Invalid record', faults, faultCount)
  const contents = reader.takeContents()
  const recalled = await recallKeys(db, originOf(file, installer), entity, rows, contents)
  return { entity, onDuplicate, ...recalled }
}

/** What writing the records of a file did. */
export type Written = {
  counts: RecordCounts
  newExtraFields: string[]
  conflicts: RecordConflict[]
  conflictCount: number
  removed: RemovedCounts
}

/**
 * Writes prepared records, all or none by the caller's transaction. When the entity has changed since
 * they were prepared, they are prepared again. Throws errors that `toFailure` understands.
 */
export async function applyData(
  tx: Db,
  file: PlannedFile,
  prepared: PreparedData,
  installer: DataInstaller,
): Promise<Written> {
  // From here on the table can't be changed, so the definition read next is the one it has.
  await lockForWriting(tx, prepared.entity.table)
  const current = await entityNamed(tx, file.target ?? '')
  const data = isSame(current, prepared.entity) ? prepared : await prepareData(tx, file, installer)
  const { entity, onDuplicate, contents } = data
  const origin = originOf(file, installer)
  const merged = await merge(tx, origin, data)
  const whole = await write(tx, data, merged.rows, entity.definition.updateStrategy, installer)
  const partial = await change(tx, data, merged.partial, installer)
  const created = whole.rows.filter(({ index }) => merged.created.has(index))
  await rememberCreated(tx, entity, origin, created, contents)
  const counts = {
    created: whole.counts.created,
    updated: whole.counts.updated + partial.counts.updated,
    unchanged: whole.counts.unchanged + partial.counts.unchanged + merged.unchanged,
    failed: 0,
  }
  const newExtraFields = [...new Set([...whole.newExtraFields, ...partial.newExtraFields])]
  await noteFieldNames(tx, installer.installId, entity, newExtraFields)
  const given = [...merged.settled, ...whole.rows, ...partial.rows]
  const removed =
    onDuplicate === 'Upsert'
      ? await removeGone(tx, entity, origin, given, installer.actor.name)
      : NOTHING_REMOVED
  const isVisible = onDuplicate !== 'Upsert' || mayReveal(installer, entity.name)
  if (!isVisible)
    return { counts: withoutUnchanged(counts), newExtraFields, ...UNTOLD, removed: NOTHING_REMOVED }
  const { conflicts, conflictCount } = merged
  return { counts, newExtraFields, conflicts, conflictCount, removed }
}

export const NOTHING_REMOVED: RemovedCounts = { total: 0, deleted: 0 }
export const UNTOLD = { conflicts: [], conflictCount: 0 }

/** What of the file is to be written, and which of its records are new. */
async function merge(tx: Db, origin: Origin, data: PreparedData): Promise<Merged> {
  const { entity, onDuplicate, rows } = data
  // An emptied table is filled again, as if for the first time.
  if (onDuplicate === 'Error' || (await isEmpty(tx, entity.table))) return allNew(rows)
  if (onDuplicate === 'Upsert')
    return mergeRows(tx, entity, origin, data, entity.definition.updateStrategy)
  const readKey = keyReader(entity)
  const keyed = rows.filter((row) => readKey(row) !== null)
  const primary = { columns: entity.keys, isPrimary: true }
  const stored = await findTaken(tx, entity, keyed, primary, 'Error')
  return allNew(rows, (index) => stored.get(index) !== null)
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
  { entity, onDuplicate }: PreparedData,
  rows: PreparedRow[],
  updateStrategy: UpdateStrategy,
  { actor }: Installer,
): Promise<WriteResult> {
  const actorName = actor.name
  const written = await writeRecords(tx, entity, rows, { onDuplicate, updateStrategy, actorName })
  if (written.kind)
    throw new FileFailure(VERDICT[written.kind], written.conflicts, written.conflictCount)
  return written
}

/** Stored records, so nothing is inserted: a required field that is kept would be missing there. */
async function change(
  tx: Db,
  { entity }: PreparedData,
  rows: PreparedRow[],
  { actor }: Installer,
): Promise<UpdateResult> {
  const options = { strategy: 'Upsert', actorName: actor.name, now: new Date() } as const
  const changed = await updateRecords(tx, entity, rows, options)
  const { conflicts } = changed
  if (conflicts)
    throw new FileFailure(VERDICT[conflicts.kind ?? 'refused'], conflicts.details, conflicts.count)
  return changed
}

const VERDICT: Record<ConflictKind, Verdict> = {
  duplicate: 'Conflict Issue!',
  unique: 'Conflict Issue!',
  reference: 'Missing dependency',
  refused: 'Invalid record',
}

const shapeOf = ({ definition, properties, open }: Entity) =>
  JSON.stringify([definition, properties, open])
const isSame = (a: Entity, b: Entity) => shapeOf(a) === shapeOf(b)
