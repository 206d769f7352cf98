import { turnGiver } from '@/lib/async/turns'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { type CreatedRecorder, createdRecorder } from '@/lib/plugins/lifecycle/created-recorder'
import { noteFieldNames } from '@/lib/plugins/lifecycle/field-names'
import { originOf } from '@/lib/plugins/lifecycle/origin'
import { gaveAny } from '@/lib/plugins/lifecycle/recall-keys'
import type { PlannedFile } from '@/lib/plugins/plugin-file'
import { beginLoad, isRecordError, type Load } from '@/lib/rows/load-records'
import { deferIndexes } from '@/lib/tables/defer-indexes'
import type { DataInstaller } from './apply-data'
import { isEmpty } from './data-entity'
import { requireDataRights } from './installer-rights'
import { lockedEntity } from './locked-entity'
import { NotInParts } from './not-in-parts'
import { type RowReader, readRows } from './read-rows'
import { NOTHING_REMOVED, UNTOLD, type Written } from './write-merged'

type LoadContext = DataInstaller & {
  /** Whether the locks are held until all files are installed. */
  isAtomic: boolean
}

/**
 * Reads, checks and writes the records of a file by COPY, in parts: while the database stores one, the
 * next is read. Only into an empty table, where records can conflict with each other alone. Throws
 * `NotInParts` when the table is not empty or a record is at fault, and errors that `toFailure`
 * understands.
 */
export async function loadData(tx: Db, file: PlannedFile, context: LoadContext): Promise<Written> {
  const origin = originOf(file, context)
  const entity = await lockedEntity(tx, file)
  const onDuplicate = file.insertDuplicate ?? entity.definition.insertDuplicate
  requireDataRights(context, entity, { onDuplicate, removed: origin.removed })
  // Records that the file gave before get their former keys, and those that another one gave have its base.
  if (!(await isEmpty(tx, entity.table)) || (await gaveAny(tx, origin, entity)))
    throw new NotInParts({ isForRecords: false })
  const signature = { actorName: context.actor.name, now: new Date() }
  const buildIndexes = mayLockOut(file, entity, context)
    ? await deferIndexes(tx, entity.table)
    : null
  const load = await beginLoad(tx, entity, signature)
  const recorder = createdRecorder(tx, entity, origin, load.columns)
  try {
    await loadParts(readRows(file, entity), load, recorder)
    const { created, newExtraFields } = await load.end()
    // Others may have added records meanwhile.
    if (!(await recorder.end(created))) throw new NotInParts({ isForRecords: false })
    await buildIndexes?.()
    await noteFieldNames(tx, context.installId, entity, newExtraFields)
    const counts = { created, updated: 0, unchanged: 0, failed: 0 }
    return { counts, newExtraFields, ...UNTOLD, removed: NOTHING_REMOVED }
  } catch (error) {
    const cause = load.failure() ?? error
    throw isRecordError(cause) ? new NotInParts({ isForRecords: true }) : cause
  }
}

/**
 * Whether a file is worth a try: surely without more records than allowed, which would only be found
 * after many of them are written.
 */
export async function isLoadable({ bytes, limits }: PlannedFile): Promise<boolean> {
  if (bytes.length / LEAST_BYTES <= limits.MAX_RECORDS) return true
  const giveTurn = turnGiver()
  let objects = 0
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    const piece = bytes.subarray(from, from + PIECE_BYTES)
    for (let at = piece.indexOf(OPEN_BRACE); at >= 0; at = piece.indexOf(OPEN_BRACE, at + 1))
      objects++
    await giveTurn()
  }
  return objects <= limits.MAX_RECORDS
}

/** Of a record and the comma before it. */
const LEAST_BYTES = 3
const OPEN_BRACE = 0x7b
const PIECE_BYTES = 1024 * 1024

/** More would lock readers of the empty table out for too long. */
const MAX_DEFERRED_BYTES = 64 * 1024 * 1024

/** Whether others may be kept from the table while its records are written without indexes. */
function mayLockOut({ bytes }: PlannedFile, entity: Entity, context: LoadContext): boolean {
  const { name, isDistributed } = entity
  // The nodes of a cluster build them beside the records, each its own part.
  if (isDistributed) return false
  return context.created.has(name) || (!context.isAtomic && bytes.length <= MAX_DEFERRED_BYTES)
}

/** The batches of one COPY, of about 256 KB each; few at first, so that the database begins early. */
const FIRST_BATCHES = 1
const MAX_BATCHES = 8

async function loadParts(reader: RowReader, load: Load, recorder: CreatedRecorder): Promise<void> {
  let batches = 0
  let most = FIRST_BATCHES
  const write = async () => {
    const contents = reader.takeContents()
    const isKeyed = contents.size === 0
    await recorder.note(await load.write(isKeyed ? recorder.keep : undefined), contents)
    batches = 0
    most = Math.min(MAX_BATCHES, 2 * most)
  }
  for await (const _ of reader.read(load.add)) {
    if (reader.faults().faultCount > 0) throw new NotInParts({ isForRecords: true })
    if (++batches >= most) await write()
  }
  if (batches > 0) await write()
}
