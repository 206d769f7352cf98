import type { Db } from '@/lib/db/types'
import { RecordContents } from '@/lib/plugins/content/record-content'
import { originOf } from '@/lib/plugins/lifecycle/origin'
import type { PlannedFile } from '@/lib/plugins/plugin-file'
import { FileFailure } from '@/lib/plugins/verdict'
import { isRecordError } from '@/lib/rows/load-records'
import type { DataInstaller } from './apply-data'
import type { DryRun } from './dry-run'
import { requireDataRights } from './installer-rights'
import { lockedEntity } from './locked-entity'
import { NotInParts } from './not-in-parts'
import { readParts } from './read-parts'
import { type RecordWriter, recordWriter, type Written } from './write-merged'

/**
 * Reads, checks, merges and writes the records of a large file in parts: while the database merges one, the next is
 * read. Throws `NotInParts` when records lack or repeat a key or can't be written: `applyData` then names
 * them. Throws errors that `toFailure` understands for other faults, and for conflicts that are to fail the file.
 */
export async function mergeData(
  tx: Db,
  file: PlannedFile,
  context: DataInstaller & { dryRun: DryRun | null },
): Promise<Written> {
  const entity = await lockedEntity(tx, file)
  const onDuplicate = file.insertDuplicate ?? entity.definition.insertDuplicate
  requireDataRights(context, entity, { onDuplicate, removed: originOf(file, context).removed })
  const parts = () => readParts(file, entity)
  await context.dryRun?.beforeRecords(tx, { entity, onDuplicate, areKeyed: true, parts }, file)
  const target = { entity, onDuplicate, origin: originOf(file, context) }
  const writer = await recordWriter(tx, target, context, { isPart: true })
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
