import { sql } from 'drizzle-orm'
import { withOwnBudget } from '@/lib/db/budget'
import type { TableName } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { messageOf } from '@/lib/errors'
import { compactTotal } from './compact-total'
import { relationSql } from './keep-total'

/** Adding up more changes takes readers noticeable time. */
const MAX_PENDING = 300
const MAX_MS = 60_000
/** The next attempt follows after this, since another process may be at it. */
const PAUSE_MS = 1_000

/** The tables that this process is compacting, or just has. */
const running = new Set<string>()

/** Compacts the changes of a table in the background when a reader has met many. */
export function compactWhenMany(deps: Deps, table: TableName, pending: number | null): void {
  const { db, log } = deps.primary ?? deps
  const name = `${table.schema}.${table.name}`
  if (pending === null || pending <= MAX_PENDING || running.has(name)) return
  running.add(name)
  withOwnBudget({ ms: MAX_MS }, () => compactTotal(db, sql`${relationSql(table)}::oid`))
    .catch((error) => log.warn({ table: name, error: messageOf(error) }, 'total not compacted'))
    .finally(() => setTimeout(() => running.delete(name), PAUSE_MS).unref())
}
