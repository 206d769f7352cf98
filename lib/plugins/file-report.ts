import type { FILE_STATUSES, FileDetail, RecordCounts } from '@/lib/db/schema'

/** What a content file is about. */
export type FileKind = 'type' | 'schema' | 'entity' | 'role' | 'policy' | 'data'

/** What became of one file, or in a dry run what would: a row of the history's log. */
export type FileReport = {
  path: string
  target: string | null
  kind: FileKind | null
  status: (typeof FILE_STATUSES)[number]
  /** The verdict's name when it failed, the reason when it was ignored. */
  error: string | null
  /** At most 100. */
  details: FileDetail[]
  detailCount: number
  /** Changes of tables and notes, in words. */
  changes: string[]
  records: RecordCounts
  durationMs: number
  /** It is a content file: ignored files are reported without being counted. */
  planned: boolean
}

export const NO_RECORDS: RecordCounts = { created: 0, updated: 0, unchanged: 0, failed: 0 }

/** `updated` if anything was, else `created` if anything was, else `unchanged`. */
export function statusOf({ created, updated }: RecordCounts): 'created' | 'updated' | 'unchanged' {
  if (updated > 0) return 'updated'
  return created > 0 ? 'created' : 'unchanged'
}
