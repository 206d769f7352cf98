import { withOwnBudget } from '@/lib/db/budget'
import type { Db } from '@/lib/db/sql'
import { cursorOf } from './position'
import { readLog } from './read-log'

/** One pair of statements in this time, however many read. */
const MAX_AGE_MS = 1_000

type Recent = { until: number; cursor: Promise<string> }

const recent = new WeakMap<Db, Recent>()

/**
 * A cursor of a moment of the last second: what is read from now on shows all that is before it, so a client that follows from it
 * misses nothing, and may receive changes that it has read already.
 */
export function recentCursor(db: Db): Promise<string> {
  const now = performance.now()
  const last = recent.get(db)
  if (last && now < last.until) return last.cursor
  const cursor = withOwnBudget({ ms: 5_000, waitMs: 2_000 }, () => readCursor(db))
  recent.set(db, { until: now + MAX_AGE_MS, cursor })
  cursor.catch(() => recent.delete(db))
  return cursor
}

async function readCursor(db: Db): Promise<string> {
  const { next } = await readLog(db, { tables: [], since: null, limit: 1, records: false })
  return cursorOf(next)
}
