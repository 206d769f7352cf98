import {
  type FileFailure,
  type FileKind,
  MAX_DETAILS,
  type PlannedFile,
} from '@/lib/archives/plugin-file'
import type {
  DeletedCounts,
  FILE_STATUSES,
  RecordConflict,
  RecordCounts,
  RemovedCounts,
} from '@/lib/db/schema'
import type { FaultGroup } from '@/lib/definitions/fault-group'
import type { FileDetail } from '@/lib/definitions/file-detail'

/** What happened to a file, or would in a dry run: a row of the history's log. */
export type FileReport = {
  path: string
  target: string | null
  kind: FileKind | null
  status: (typeof FILE_STATUSES)[number]
  /** The verdict's name if it failed, the reason if it was ignored. */
  error: string | null
  /** At most 100. */
  details: FileDetail[]
  detailCount: number
  /** The faults of records by rule, the largest first; their totals are exact. */
  groups: FaultGroup[]
  /** Parts that are ignored or likely a mistake, whatever happened to the file; at most 100. */
  warnings: FileDetail[]
  /** Changes of tables and notes, in words. */
  changes: string[]
  records: RecordCounts
  /** Records that were changed here and by the plugin; the first 100. */
  conflicts: RecordConflict[]
  conflictCount: number
  /** Records that the file gave before and gives no longer. */
  removed: RemovedCounts
  /** Records of the file that were deleted here. */
  deleted: DeletedCounts
  durationMs: number
  /** A content file; other files are reported as ignored without being counted. */
  planned: boolean
}

/** Of a file that found nothing changed here. */
export const NO_CONFLICTS = {
  conflicts: [],
  conflictCount: 0,
  removed: { total: 0, deleted: 0 },
  deleted: { kept: 0, restored: 0 },
}

export const NO_RECORDS: RecordCounts = { created: 0, updated: 0, unchanged: 0, failed: 0 }

/** `updated` if anything was updated or deleted, otherwise `created` if anything was, otherwise `unchanged`. */
function statusOf({ created, updated }: RecordCounts, deleted: number) {
  if (updated + deleted > 0) return 'updated'
  return created > 0 ? 'created' : 'unchanged'
}

const base = ({ path, target, kind, warnings }: PlannedFile) => ({
  path,
  target,
  kind,
  warnings: warnings.slice(0, MAX_DETAILS),
  planned: true,
})

type Success = Pick<FileReport, 'changes'> & { counts: FileReport['records'] } & Partial<
    Pick<FileReport, 'conflicts' | 'conflictCount' | 'removed' | 'deleted'>
  >

/** Of a file that was installed. */
export function successReport(
  file: PlannedFile,
  { counts, changes, ...rest }: Success,
  durationMs: number,
): FileReport {
  return {
    ...base(file),
    status: statusOf(counts, rest.removed?.deleted ?? 0),
    error: null,
    details: [],
    detailCount: 0,
    groups: [],
    changes,
    records: counts,
    conflicts: rest.conflicts ?? [],
    conflictCount: rest.conflictCount ?? 0,
    removed: rest.removed ?? NO_CONFLICTS.removed,
    deleted: rest.deleted ?? NO_CONFLICTS.deleted,
    durationMs,
  }
}

/** Of a file that was not written. */
export function failedReport(
  file: PlannedFile,
  { verdict, details, detailCount, groups, recordCount, found }: FileFailure,
  durationMs: number,
): FileReport {
  const indexes = new Set(details.map(({ index }) => index).filter((index) => index !== undefined))
  const records = { ...NO_RECORDS, failed: recordCount ?? indexes.size }
  return {
    ...base(file),
    status: 'failed',
    error: verdict,
    details,
    detailCount,
    groups,
    changes: [],
    records,
    ...NO_CONFLICTS,
    ...found,
    durationMs,
  }
}

/** Of a file that is not a content file. */
export const ignoredReport = ({ path, reason }: { path: string; reason: string }): FileReport => ({
  path,
  target: null,
  kind: null,
  status: 'ignored',
  error: reason,
  details: [],
  detailCount: 0,
  groups: [],
  warnings: [],
  changes: [],
  records: NO_RECORDS,
  ...NO_CONFLICTS,
  durationMs: 0,
  planned: false,
})
