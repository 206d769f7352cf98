import type { FileRecord, Values } from './draft'
import type { FileResult, Row } from './expected'
import type { Choices } from './random-story'

export const FIELDS = ['a', 'b', 'c'] as const satisfies (keyof Values)[]

/** Whether the record changes. */
export function mergeRow(
  row: Row,
  record: FileRecord,
  base: FileRecord | undefined,
  { onConflict }: Choices,
  result: FileResult,
): boolean {
  const before = { ...row }
  let isDisputed = false
  for (const field of FIELDS) {
    const [ours, theirs, was] = [row[field], record[field], base?.[field]]
    const isEdited = base !== undefined && ours !== was
    if (!isEdited) row[field] = theirs
    else if (theirs !== was && theirs !== ours) {
      isDisputed = true
      if (onConflict === 'take') row[field] = theirs
    }
  }
  if (isDisputed) result.conflicts++
  if (isDisputed) result.undecided++
  return FIELDS.some((field) => row[field] !== before[field])
}
