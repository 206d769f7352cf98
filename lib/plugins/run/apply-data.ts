import type { RecordCounts } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Entity, InsertDuplicate } from '@/lib/definitions/definition'
import type { PlannedFile } from '@/lib/plugins/plugin-file'
import { FileFailure, type Verdict } from '@/lib/plugins/verdict'
import type { ConflictKind } from '@/lib/records/conflicts'
import { packer } from '@/lib/records/packed-row'
import type { PreparedRow } from '@/lib/records/prepared-row'
import { withoutUnchanged } from '@/lib/records/record-response'
import { writeRecords } from '@/lib/records/write-records'
import { entityNamed, lockForWriting } from './data-entity'
import { givenFile, type Recalled, recallKeys, rememberKeys, stillStored } from './given-records'
import { type Installer, mayReveal, requireDataRights } from './installer-rights'
import { readRows } from './read-rows'

/** The records of a data file, checked against the entity's definition at that time. */
export type PreparedData = Recalled & { entity: Entity; onDuplicate: InsertDuplicate }

/**
 * Reads and checks a data file without writing, if the installer may write its records. Throws errors
 * that `toFailure` understands.
 */
export async function prepareData(
  db: Db,
  file: PlannedFile,
  installer: Installer,
): Promise<PreparedData> {
  const entity = await entityNamed(db, file.target ?? '')
  const onDuplicate = file.insertDuplicate ?? entity.definition.insertDuplicate
  requireDataRights(installer, entity, onDuplicate)
  const reader = readRows(file, entity)
  const pack = packer(entity)
  const rows: PreparedRow[] = []
  for await (const batch of reader.batches()) {
    for (const row of batch) rows.push(pack(row))
    // For a file that is written all or none, records are only counted after the first fault.
    if (reader.faults().faultCount > 0) rows.length = 0
  }
  const { faults, faultCount } = reader.faults()
  if (faultCount > 0) throw new FileFailure('Invalid record', faults, faultCount)
  const contents = reader.takeContents()
  const recalled = await recallKeys(db, givenFile(file, installer), entity, rows, contents)
  return { entity, onDuplicate, ...recalled }
}

/**
 * Writes prepared records, all or none by the caller's transaction. When the entity has changed since
 * they were prepared, they are prepared again. Throws errors that `toFailure` understands.
 */
export async function applyData(
  tx: Db,
  file: PlannedFile,
  prepared: PreparedData,
  installer: Installer,
): Promise<{ counts: RecordCounts; newExtraFields: string[] }> {
  // From here on the table can't be changed, so the definition read next is the one it has.
  await lockForWriting(tx, prepared.entity.table)
  const current = await entityNamed(tx, file.target ?? '')
  const data = isSame(current, prepared.entity) ? prepared : await prepareData(tx, file, installer)
  const { entity, onDuplicate } = data
  // Stored records that the file created before are kept: users may have changed them since.
  const kept = onDuplicate === 'Upsert' ? await stillStored(tx, entity, data) : NONE
  const rows = kept.size === 0 ? data.rows : data.rows.filter(({ index }) => !kept.has(index))
  const { updateStrategy } = entity.definition
  const actorName = installer.actor.name
  const written = await writeRecords(tx, entity, rows, { onDuplicate, updateStrategy, actorName })
  if (written.kind) {
    throw new FileFailure(VERDICT[written.kind], written.conflicts, written.conflictCount)
  }
  await rememberKeys(tx, givenFile(file, installer), entity, written.rows, data)
  const { newExtraFields } = written
  const counts = { ...written.counts, unchanged: written.counts.unchanged + kept.size }
  const isVisible = onDuplicate !== 'Upsert' || mayReveal(installer, entity.name)
  return { counts: isVisible ? counts : withoutUnchanged(counts), newExtraFields }
}

const NONE: ReadonlySet<number> = new Set()

const VERDICT: Record<ConflictKind, Verdict> = {
  duplicate: 'Conflict Issue!',
  unique: 'Conflict Issue!',
  reference: 'Missing dependency',
  refused: 'Invalid record',
}

const shapeOf = ({ definition, properties, open }: Entity) =>
  JSON.stringify([definition, properties, open])
const isSame = (a: Entity, b: Entity) => shapeOf(a) === shapeOf(b)
