import { sql } from 'drizzle-orm'
import type { ImportRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { KeysSeen } from '@/lib/rows/digest-counts'
import { findUnresolved } from '@/lib/rows/find-conflicts'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { addFault, pointerTo, type RecordFaults, showable } from '@/lib/rows/record-faults'
import { tupleReader } from '@/lib/rows/record-key'
import type { ForeignKey } from '@/lib/rows/table-constraints'
import { FileFault } from '../file/source'

/** A row that refers to a later one, or to nothing. */
export type Held = {
  row: PreparedRow
  as: ImportRow['mode']
  texts: (string | null)[]
  index: number
}

/** They are in memory until the end of the file. */
const MAX_HELD = 200_000

/**
 * References of an entity to itself: a row may refer to any other row of its file, so it waits until the end for those that are not there
 * yet. What then refers to nothing, or to such a row, is refused.
 */
export function selfReferences(
  db: Db,
  entity: Entity,
  foreign: readonly ForeignKey[],
  { isDryRun, faults }: { isDryRun: boolean; faults: RecordFaults },
) {
  const keys = foreign
    .filter(({ isSelf }) => isSelf)
    .map((key) => ({
      ...{
        key,
        targetOf: tupleReader(entity, key.targets),
        referenceOf: tupleReader(entity, key.columns),
      },
      // In a dry run the rows so far are not stored.
      seen: new KeysSeen(),
    }))
  const held: Held[] = []

  /** Indexes of rows that refer to what is neither stored nor among them. */
  async function unresolved(rows: PreparedRow[]): Promise<Map<number, ForeignKey>> {
    const found = new Map<number, ForeignKey>()
    for (const { key, referenceOf, seen } of keys) {
      const missing = await findUnresolved(db, entity, rows, key)
      for (const row of rows) {
        if (!missing.has(row.index)) continue
        const value = referenceOf(row.values)
        if (value === null || !isDryRun || !seen.has(value)) found.set(row.index, key)
      }
    }
    return found
  }

  /** Splits rows until those that are left refer to nothing else. */
  async function closed(rows: PreparedRow[]) {
    const out = new Map<number, ForeignKey>()
    let left = rows
    for (;;) {
      const missing = await unresolved(left)
      if (missing.size === 0) return { left, out }
      for (const [index, key] of missing) out.set(index, key)
      left = left.filter(({ index }) => !missing.has(index))
    }
  }

  function remember(rows: readonly PreparedRow[]): void {
    if (!isDryRun) return
    for (const { targetOf, seen } of keys)
      for (const { values } of rows) {
        const text = targetOf(values)
        if (text !== null) seen.add(text)
      }
  }

  async function ready(
    rows: PreparedRow[],
    toHeld: (row: PreparedRow) => Omit<Held, 'index'>,
  ): Promise<PreparedRow[]> {
    if (keys.length === 0) return rows
    const { left, out } = await closed(rows)
    for (const row of rows) if (out.has(row.index)) held.push({ ...toHeld(row), index: row.index })
    if (held.length > MAX_HELD) throw new FileFault(TOO_MANY)
    remember(left)
    return left
  }

  async function end(): Promise<{ rest: Held[]; refused: Held[] }> {
    const { left, out } = await closed(held.map(({ row }) => row))
    const kept = new Set(left)
    const refused = held.filter(({ row }) => !kept.has(row))
    for (const { row } of refused) {
      const key = out.get(row.index)
      if (key) refuse(row, key)
    }
    remember(left)
    return { rest: held.filter(({ row }) => kept.has(row)), refused }
  }

  function refuse({ index, values }: PreparedRow, { columns: [name = ''] }: ForeignKey): void {
    const value = showable(values[name] ?? null)
    const message = `"${name}" refers to ${JSON.stringify(value)}, which is not in ${entity.name}, or is refused`
    const about = { rule: 'reference', field: name, index, message: () => NOTHING } as const
    addFault(faults, about, () => ({ index, pointer: pointerTo(name), value, message }))
  }

  return {
    isNeeded: keys.length > 0,
    ready,
    end,
    settle: () => db.execute(sql`set constraints all immediate`),
  }
}

const TOO_MANY = `More than ${MAX_HELD.toLocaleString('en')} rows refer to later rows; sort the file so that a record comes before those that refer to it`
const NOTHING = 'refers to no record, or to one that is refused'
