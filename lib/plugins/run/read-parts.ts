import type { Entity } from '@/lib/definitions/definition'
import type { PlannedFile } from '@/lib/plugins/plugin-file'
import { KeysSeen } from '@/lib/rows/digest-counts'
import { type PreparedRow, packer } from '@/lib/rows/prepared-row'
import { NotInParts } from './not-in-parts'
import { readRows } from './read-rows'

/** Batches of at least 256 KB: what a statement for so many records makes of them fits into `work_mem`. */
const BATCHES_A_PART = 4

/**
 * Reads and checks the records of a data file in parts. Throws `NotInParts` at the first record that has a
 * fault, lacks a key or repeats one, and errors that `toFailure` understands.
 */
export async function* readParts(file: PlannedFile, entity: Entity): AsyncGenerator<PreparedRow[]> {
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
    if (isOdd || reader.faults().faultCount > 0) throw new NotInParts({ isForRecords: true })
    if (++batches < BATCHES_A_PART) continue
    yield part
    part = []
    batches = 0
  }
  if (part.length > 0) yield part
}
