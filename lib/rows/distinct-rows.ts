import { setImmediate as otherRequests } from 'node:timers/promises'
import { forEachInTurns } from '@/lib/async/turns'
import type { Entity, InsertDuplicate, UpdateStrategy } from '@/lib/definitions/definition'
import { keyReader, type PreparedRow, repacker } from './prepared-row'

export type DistinctRows = {
  /** One row for each key. */
  rows: PreparedRow[]
  /** Index of each row whose key repeats an earlier row's, with the index of that row. */
  repeated: Map<number, number>
}

/**
 * Keeps one row for each key. With `Ignore` the first one; otherwise all of them applied in order, which
 * under `Replace` is the last. Rows with keys must not be null in any part.
 */
export async function distinctRows(
  entity: Entity,
  rows: PreparedRow[],
  onDuplicate: InsertDuplicate,
  strategy: UpdateStrategy,
): Promise<DistinctRows> {
  const readKey = keyReader(entity)
  const repack = repacker(entity)
  const positions = new Map<string, number>()
  const repeated = new Map<number, number>()
  const distinct: PreparedRow[] = []
  await forEachInTurns(rows, (row) => {
    const key = readKey(row) ?? ''
    const position = positions.get(key)
    const earlier = position === undefined ? undefined : distinct[position]
    if (position === undefined || !earlier) {
      positions.set(key, distinct.length)
      distinct.push(row)
      return
    }
    repeated.set(row.index, earlier.index)
    if (onDuplicate !== 'Ignore') distinct[position] = repack(row, combine(earlier, row, strategy))
  })
  return { rows: distinct, repeated }
}

/** Whether two rows have the same key. */
export async function repeatsKey(entity: Entity, rows: readonly PreparedRow[]): Promise<boolean> {
  if (rows.length < 2) return false
  const readKey = keyReader(entity)
  const keys = new Set<string | null>()
  await forEachInTurns(rows, (row) => keys.add(readKey(row)))
  return keys.size < rows.length
}

/** The later row merged onto the earlier one, at the position of the earlier. */
function combine(earlier: PreparedRow, later: PreparedRow, strategy: UpdateStrategy): PreparedRow {
  const { index } = earlier
  if (strategy === 'Replace') return { index, values: later.values, extra: later.extra }
  const extra = earlier.extra || later.extra ? { ...earlier.extra, ...later.extra } : null
  return { index, values: { ...earlier.values, ...later.values }, extra }
}

/**
 * The rows in one order for every caller, so that two calls lock common rows in the same order and
 * don't deadlock. Rows that are in order already, as most are, are not copied.
 */
export async function inLockOrder(entity: Entity, rows: PreparedRow[]): Promise<PreparedRow[]> {
  const readKey = keyReader(entity)
  const keyed: Keyed[] = []
  let isSorted = true
  await forEachInTurns(rows, (row) => {
    const key = readKey(row) ?? ''
    const before = keyed.at(-1)
    if (before && compare(before.key, key) >= 0) isSorted = false
    keyed.push({ row, key })
  })
  if (isSorted) return rows
  const sorted = await sort(keyed)
  return sorted.map(({ row }) => row)
}

type Keyed = { row: PreparedRow; key: string }

// Shorter ones first, which orders whole numbers by value.
const compare = (a: string, b: string): number =>
  a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** The number of rows sorted or merged without a pause. */
const TURN_ROWS = 10_000

/** Sorts runs of rows and merges them two by two, with pauses for other requests. */
async function sort(rows: Keyed[]): Promise<Keyed[]> {
  let runs: Keyed[][] = []
  for (let from = 0; from < rows.length; from += TURN_ROWS) {
    const run = rows.slice(from, from + TURN_ROWS)
    runs.push(run.sort((a, b) => compare(a.key, b.key)))
    if (rows.length > TURN_ROWS) await otherRequests()
  }
  while (runs.length > 1) {
    const merged: Keyed[][] = []
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? []))
    runs = merged
  }
  return runs[0] ?? []
}

async function merge(a: Keyed[], b: Keyed[]): Promise<Keyed[]> {
  const merged: Keyed[] = []
  let [ofA, ofB] = [0, 0]
  while (ofA < a.length || ofB < b.length) {
    const [first, second] = [a[ofA], b[ofB]]
    const isFirst = first && (!second || compare(first.key, second.key) <= 0)
    merged.push((isFirst ? first : second) as Keyed)
    if (isFirst) ofA++
    else ofB++
    if (merged.length % TURN_ROWS === 0) await otherRequests()
  }
  return merged
}
