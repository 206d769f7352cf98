import { withOwnBudget } from '@/lib/db/budget'
import type { Db } from '@/lib/db/sql'
import { cursorOf } from './position'
import { readLog } from './read-log'

/** One pair of statements in this time, however many read. */
const MAX_AGE_MS = 1_000
/** A database that answers too late has this long to answer again: until then an older place will do. */
const MAX_LATE_MS = 60_000

type Recent = { at: number; cursor: Promise<string> }

const recent = new WeakMap<Db, Recent>()
const known = new WeakMap<Db, { at: number; cursor: string }>()

/**
 * A cursor of a moment of the last second, or minute where the database is late: what is read from now on shows all that is before it, so a
 * client that follows from it misses nothing, and may receive changes that it has read already.
 */
export function recentCursor(db: Db): Promise<string> {
  const at = performance.now()
  const last = recent.get(db)
  if (last && at < last.at + MAX_AGE_MS) return last.cursor
  const cursor = readCursor(db, at)
  recent.set(db, { at, cursor })
  cursor.catch(() => recent.delete(db))
  return cursor
}

async function readCursor(db: Db, at: number): Promise<string> {
  try {
    const reading = { tables: [], since: null, limit: 1, records: false }
    const { next } = await withOwnBudget({ ms: 5_000, waitMs: 2_000 }, () => readLog(db, reading))
    const cursor = cursorOf(next)
    known.set(db, { at, cursor })
    return cursor
  } catch (error) {
    const last = known.get(db)
    if (last && at < last.at + MAX_LATE_MS) return last.cursor
    throw error
  }
}
