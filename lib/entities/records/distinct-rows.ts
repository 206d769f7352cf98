import type { Entity, InsertDuplicate, UpdateStrategy } from '@/lib/entities/definition'
import type { PreparedRow } from './prepared-row'
import { tupleReader } from './record-key'

export type DistinctRows = {
  /** One row a key. */
  rows: PreparedRow[]
  /** Index of each row whose key an earlier row has, with the index of that row. */
  repeated: Map<number, number>
}

/**
 * Leaves one row a key. With `Ignore` the first one; else all of them applied in order, which under
 * `Replace` is the last. Rows with keys must not be null in any part.
 */
export function distinctRows(
  entity: Entity,
  rows: PreparedRow[],
  onDuplicate: InsertDuplicate,
  strategy: UpdateStrategy,
): DistinctRows {
  const readKey = tupleReader(entity, entity.keys)
  const positions = new Map<string, number>()
  const repeated = new Map<number, number>()
  const distinct: PreparedRow[] = []
  for (const row of rows) {
    const key = readKey(row.values) ?? ''
    const position = positions.get(key)
    const earlier = position === undefined ? undefined : distinct[position]
    if (position === undefined || !earlier) {
      positions.set(key, distinct.length)
      distinct.push(row)
      continue
    }
    repeated.set(row.index, earlier.index)
    if (onDuplicate !== 'Ignore') distinct[position] = combine(earlier, row, strategy)
  }
  return { rows: distinct, repeated }
}

/** The later row on top of the earlier one, at the place of the earlier. */
function combine(earlier: PreparedRow, later: PreparedRow, strategy: UpdateStrategy): PreparedRow {
  const { index } = earlier
  if (strategy === 'Replace') return { ...later, index }
  const extra = earlier.extra || later.extra ? { ...earlier.extra, ...later.extra } : null
  return { index, values: { ...earlier.values, ...later.values }, extra }
}

/**
 * The rows in one order for every caller, so that two calls lock common rows in the same order and
 * neither waits for the other. Rows that are in order already, as most are, are not copied.
 */
export function inLockOrder(entity: Entity, rows: PreparedRow[]): PreparedRow[] {
  const readKey = tupleReader(entity, entity.keys)
  const keyed = rows.map((row) => ({ row, key: readKey(row.values) ?? '' }))
  const isSorted = keyed.every(
    ({ key }, at) => at === 0 || compare(keyed[at - 1]?.key ?? '', key) < 0,
  )
  if (isSorted) return rows
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ row }) => row)
}

// Shorter ones first: whole numbers are then in their own order.
const compare = (a: string, b: string): number =>
  a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
