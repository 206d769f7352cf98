import type { FileRecord } from './draft'

/** A stored record; `since`: a number that no other record and no former one has; `by`: who has created it. */
export type Row = FileRecord & { since: number; by: 'plugin' | 'people' }
export type Memory = {
  base: FileRecord
  file: number
  isOfPlugin: boolean
  /** Of a record that was deleted here: what else was stored then. */
  beside: ReadonlySet<number> | null
  /** The entity had no record at all since, and then none of edits. */
  isEmptied: boolean
}
/** What is expected of an entity: its records, and what the plugin gave; by number. */
export type Expected = { rows: Map<number, Row>; input: Map<number, Memory>; isOwned: boolean }
export type World = { entities: Expected[]; serial: number }

export const emptyWorld = (count: number): World => ({
  entities: Array.from({ length: count }, () => ({
    ...{ rows: new Map(), input: new Map(), isOwned: false },
  })),
  serial: 0,
})

export type FileResult = {
  created: number
  updated: number
  unchanged: number
  conflicts: number
  /** Conflicts that fail the file with `onConflict=fail`. */
  undecided: number
  deleted: { kept: number; restored: number }
  removed: { total: number; deleted: number }
  isFailed: boolean
  /** Records that were deleted here, of which the contract does not say whether they return. */
  open: FileRecord[]
}

/** A record is deleted by edits. */
export function forget(expected: Expected, no: number): void {
  expected.rows.delete(no)
  const memory = expected.input.get(no)
  const beside = new Set([...expected.rows.values()].map(({ since }) => since))
  if (memory) Object.assign(memory, { beside, isEmptied: false })
  recordEmpty(expected)
}

export function recordEmpty({ rows, input }: Expected): void {
  if (rows.size === 0) for (const one of input.values()) one.isEmptied = true
}
