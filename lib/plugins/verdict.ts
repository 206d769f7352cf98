import type { RecordConflict } from '@/lib/db/schema'
import type { FaultGroup } from '@/lib/definitions/fault-group'
import type { FileDetail } from '@/lib/definitions/file-detail'
import type { RecordFaults } from '@/lib/rows/record-faults'

/** Names of the ways a file of an archive can fail, interface.md §5. */
export type Verdict =
  | 'Conflict Issue!'
  | 'Missing dependency'
  /** The installer lacks a right that the file needs. */
  | 'Forbidden'
  | 'Invalid JSON'
  | 'Invalid definition'
  | 'Invalid record'
  | 'Incompatible change'
  | 'Rolled back'
  | 'Interrupted'
  | 'Cancelled'
  | 'Internal error'

type ConflictsFound = { conflicts: RecordConflict[]; conflictCount: number }

export const MAX_DETAILS = 100

type More = {
  /** What of it was changed here and by the plugin. */
  found?: ConflictsFound
  /** The faults of records by rule, with exact totals. */
  groups?: FaultGroup[]
  /** The number of records of the file that are at fault, where it is known. */
  recordCount?: number
}

/** Why one file fails; the other files are still installed. */
export class FileFailure extends Error {
  override readonly name = 'FileFailure'
  readonly details: FileDetail[]
  readonly detailCount: number
  readonly found: ConflictsFound
  readonly groups: FaultGroup[]
  readonly recordCount: number | undefined

  constructor(
    readonly verdict: Verdict,
    details: FileDetail[],
    /** The number of faults, when `details` holds only the first of them. */
    detailCount = details.length,
    { found = { conflicts: [], conflictCount: 0 }, groups = [], recordCount }: More = {},
  ) {
    super(verdict)
    this.details = details.slice(0, MAX_DETAILS)
    this.detailCount = detailCount
    this.found = found
    this.groups = groups
    this.recordCount = recordCount
  }
}

/** That records of a file are at fault. */
export const failureOf = (
  verdict: Verdict,
  { details, count, groups, records }: RecordFaults,
): FileFailure =>
  new FileFailure(verdict, details, count, { groups: groups.list(), recordCount: records })
