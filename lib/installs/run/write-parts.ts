import { FileFailure, type PlannedFile } from '@/lib/archives/plugin-file'
import { type RowReader, readRows } from '@/lib/archives/read-rows'
import { RecordContents } from '@/lib/archives/record-contents'
import { around } from '@/lib/around'
import { turnGiver } from '@/lib/async/turns'
import { type Db, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { KeysSeen } from '@/lib/rows/digest-counts'
import { beginLoad, isRecordError, type Load } from '@/lib/rows/load-records'
import { type PreparedRow, packer } from '@/lib/rows/prepared-row'
import { deferIndexes } from '@/lib/tables/defer-indexes'
import { NO_CONFLICTS } from '../file-report'
import { requireDataRights } from '../installer-rights'
import type { BeginCopies, CopyRecorder, DataContext } from '../points'
import {
  isEmpty,
  NotInParts,
  type RecordWriter,
  recordWriter,
  type Written,
} from '../write-records'
import { lockedEntity } from './data-entity'

/**
 * Reads, checks and writes the records of a file by COPY, in parts: while the database stores one, the
 * next is read. Only into an empty table, where records can conflict with each other alone. Throws
 * `NotInParts` when the table is not empty or a record is at fault, and errors that `toFailure`
 * understands.
 */
export async function loadData(tx: Db, context: DataContext): Promise<Written> {
  const { file, removed = 'keep' } = context
  const entity = await lockedEntity(tx, file)
  const onDuplicate = file.insertDuplicate ?? entity.definition.insertDuplicate
  requireDataRights(context, entity, { onDuplicate, removed })
  if (!(await isEmpty(tx, entity.table))) throw new NotInParts({ isForRecords: false })
  const beginCopies = await around(context, 'beginCopies', { tx, entity }, async () =>
    countedCopies(tx, entity),
  )
  const signature = { actorName: context.actor.name, now: new Date() }
  const buildIndexes = mayLockOut(entity, context) ? await deferIndexes(tx, entity.table) : null
  const load = await beginLoad(tx, entity, signature)
  const recorder = beginCopies(load.columns)
  try {
    await loadParts(readRows(file, entity), load, recorder)
    const { created, newExtraFields } = await load.end()
    // Others may have added records meanwhile.
    if (!(await recorder.end(created, newExtraFields)))
      throw new NotInParts({ isForRecords: false })
    await buildIndexes?.()
    const counts = { created, updated: 0, unchanged: 0, failed: 0 }
    return { counts, ...NO_CONFLICTS }
  } catch (error) {
    const cause = load.failure() ?? error
    throw isRecordError(cause) ? new NotInParts({ isForRecords: true }) : cause
  }
}

/** Nothing is kept of the records but their number. */
const countedCopies =
  (tx: Db, { table }: Entity): BeginCopies =>
  () => ({
    keep: async () => {},
    end: async (created) => (await tx.$count(tableSql(table))) === created,
  })

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
function mayLockOut(entity: Entity, { file, created, history }: DataContext): boolean {
  const { name, isDistributed } = entity
  // The nodes of a cluster build them beside the records, each its own part.
  if (isDistributed) return false
  return created.has(name) || (history !== null && file.bytes.length <= MAX_DEFERRED_BYTES)
}

/** The batches of one COPY, of about 256 KB each; few at first, so that the database begins early. */
const FIRST_BATCHES = 1
const MAX_BATCHES = 8

async function loadParts(reader: RowReader, load: Load, recorder: CopyRecorder): Promise<void> {
  let batches = 0
  let most = FIRST_BATCHES
  const write = async () => {
    const contents = reader.takeContents()
    await load.write((copied) => recorder.keep(copied, contents))
    batches = 0
    most = Math.min(MAX_BATCHES, 2 * most)
  }
  for await (const _ of reader.read(load.add)) {
    if (reader.faultCount() > 0) throw new NotInParts({ isForRecords: true })
    if (++batches >= most) await write()
  }
  if (batches > 0) await write()
}

/**
 * Reads, checks, merges and writes the records of a large file in parts: while the database merges one, the next is
 * read. Throws `NotInParts` when records lack or repeat a key or can't be written: `applyData` then names
 * them. Throws errors that `toFailure` understands for other faults, and for conflicts that are to fail the file.
 */
export async function mergeData(tx: Db, context: DataContext): Promise<Written> {
  const { file, removed = 'keep' } = context
  const entity = await lockedEntity(tx, file)
  const onDuplicate = file.insertDuplicate ?? entity.definition.insertDuplicate
  requireDataRights(context, entity, { onDuplicate, removed })
  const parts = () => readParts(file, entity)
  await context.dryRun?.beforeRecords(tx, { entity, onDuplicate, areKeyed: true, parts }, context)
  const writer = await recordWriter(context, { tx, entity, onDuplicate, isPart: true })
  await mergeParts(parts(), writer)
  try {
    return await writer.end()
  } catch (error) {
    throw isRecordError(error) ? new NotInParts({ isForRecords: true }) : error
  }
}

async function mergeParts(
  parts: ReturnType<typeof readParts>,
  writer: RecordWriter,
): Promise<void> {
  let merging = Promise.resolve()
  try {
    for await (const rows of parts) {
      await merging
      merging = merge(writer, { rows, contents: new RecordContents() })
      merging.catch(() => {}) // thrown when it is awaited
    }
  } finally {
    // No statement may follow the rollback.
    await merging.catch(() => {})
  }
  await merging
}

async function merge(writer: RecordWriter, part: Parameters<RecordWriter['add']>[0]) {
  try {
    await writer.add(part)
  } catch (error) {
    // It names records of this part alone.
    throw error instanceof FileFailure ? new NotInParts({ isForRecords: true }) : error
  }
}

/** Batches of at least 256 KB: what a statement for so many records makes of them fits into `work_mem`. */
const BATCHES_A_PART = 4

/**
 * Reads and checks the records of a data file in parts. Throws `NotInParts` at the first record that has a
 * fault, lacks a key or repeats one, and errors that `toFailure` understands.
 */
async function* readParts(file: PlannedFile, entity: Entity): AsyncGenerator<PreparedRow[]> {
  const reader = readRows(file, entity)
  const pack = packer(entity)
  const seen = new KeysSeen()
  let part: PreparedRow[] = []
  let batches = 0
  let isOdd = false
  const take = (row: PreparedRow) => {
    const packed = pack(row)
    if (packed.key === null || !seen.add(packed.key)) isOdd = true
    part.push(packed)
  }
  for await (const _ of reader.read(take)) {
    if (isOdd || reader.faultCount() > 0) throw new NotInParts({ isForRecords: true })
    if (++batches < BATCHES_A_PART) continue
    yield part
    part = []
    batches = 0
  }
  if (part.length > 0) yield part
}
