import type { PlannedFile } from '@/lib/archives/plugin-file'
import type { Db } from '@/lib/db/types'
import type { Entity, InsertDuplicate } from '@/lib/definitions/definition'
import type { PreparedRow } from '@/lib/rows/prepared-row'

/** The records of a data file, which can be read several times. */
export type GivenRecords = {
  entity: Entity
  onDuplicate: InsertDuplicate
  /** Whether all have a key in the file. */
  areKeyed: boolean
  parts: () => AsyncIterable<readonly PreparedRow[]>
}

/** The additional work of a dry run: called before a file's records are written, and after. */
export type DryRun = {
  beforeRecords: (tx: Db, given: GivenRecords, file: PlannedFile) => Promise<void>
  afterRecords: (tx: Db, file: PlannedFile) => Promise<void>
}
