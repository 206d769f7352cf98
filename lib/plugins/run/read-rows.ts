import { turnGiver } from '@/lib/async/turns'
import { currentBudget } from '@/lib/db/budget'
import { requireBudget } from '@/lib/db/give-up'
import type { Entity } from '@/lib/definitions/definition'
import { readData } from '@/lib/plugins/content/read-content'
import { contentReader, type RecordContents } from '@/lib/plugins/content/record-content'
import type { PlannedFile } from '@/lib/plugins/plugin-file'
import { FileFailure, failureOf } from '@/lib/plugins/verdict'
import { beginPreparation, type Prepared, tooSlowToMatch } from '@/lib/rows/prepare-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'

/** The time limit for matching patterns in a file, which pauses for other requests. */
const FILE_MATCHING_MS = 30_000

export type RowReader = {
  /**
   * Passes each valid record to `take`, in order; yields after some. Throws errors that `toFailure`
   * understands.
   */
  read: (take: (row: PreparedRow) => void) => AsyncGenerator<void>
  /** The contents of the records without a key, of all parts since it was called last. */
  takeContents: () => RecordContents
  /** Of the records that were read. */
  faults: () => Pick<Prepared, 'faults' | 'faultCount'>
  /** That some of them are at fault. */
  failure: () => FileFailure
}

/** Reads the records of a data file and checks them against the entity's definition. */
export function readRows(file: PlannedFile, entity: Entity): RowReader {
  const preparation = beginPreparation(entity, 'insert', {
    matchingMs: FILE_MATCHING_MS,
    exceeded: (index) =>
      new FileFailure('Invalid record', [
        { index, message: tooSlowToMatch('one file', 'records') },
      ]),
  })
  const content = contentReader(entity.keys)

  async function* read(take: (row: PreparedRow) => void) {
    const giveTurn = turnGiver()
    let index = 0
    for await (const records of readData(file)) {
      requireBudget(currentBudget())
      for (const record of records) {
        content.add(record, index++)
        const turn = giveTurn()
        if (turn) await turn
      }
      await preparation.add(records, take)
      yield
    }
  }

  const failure = () => failureOf('Invalid record', preparation.all())
  return { read, takeContents: content.take, faults: preparation.faults, failure }
}
