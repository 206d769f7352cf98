import type { RecordConflict } from '@/lib/db/schema'
import type { FileDetail } from '@/lib/definitions/file-detail'

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
  | 'Internal error'

type ConflictsFound = { conflicts: RecordConflict[]; conflictCount: number }

export const MAX_DETAILS = 100

/** Why one file fails; the other files are still installed. */
export class FileFailure extends Error {
  override readonly name = 'FileFailure'
  readonly details: FileDetail[]
  readonly detailCount: number

  constructor(
    readonly verdict: Verdict,
    details: FileDetail[],
    /** The number of faults, when `details` holds only the first of them. */
    detailCount = details.length,
    /** What of it was changed here and by the plugin. */
    readonly found: ConflictsFound = { conflicts: [], conflictCount: 0 },
  ) {
    super(verdict)
    this.details = details.slice(0, MAX_DETAILS)
    this.detailCount = detailCount
  }
}
