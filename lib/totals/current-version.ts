import { sql } from 'drizzle-orm'
import { SharedReading } from '@/lib/async/shared-reading'
import { currentBudget, withOwnBudget } from '@/lib/db/budget'
import { one, rows } from '@/lib/db/rows'
import type { TableName } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { compactWhenMany } from './compact-when-many'
import { type TotalRow, versionedTotal } from './current-total'

type Reading = SharedReading<string | null>

/** Waiting for a version must not take longer than what it may save. */
const MAX_MS = 2_000

// On `globalThis`: each route is a bundle with a copy of this module.
const shared = globalThis as typeof globalThis & {
  __engineVersions?: WeakMap<Deps, Map<string, Reading>>
}
shared.__engineVersions ??= new WeakMap()
const readings = shared.__engineVersions

/**
 * The version of tables in a snapshot from after this call; null where it is not known. Concurrent
 * calls share one statement. Must not run inside a transaction. Throws when the database does not
 * respond.
 */
export async function currentVersion(
  deps: Deps,
  tables: readonly TableName[],
): Promise<string | null> {
  const known = readings.get(deps) ?? new Map<string, Reading>()
  readings.set(deps, known)
  const key = JSON.stringify(tables)
  const reading = known.get(key) ?? new SharedReading(() => readVersion(deps, tables))
  known.set(key, reading)
  try {
    return await reading.get()
  } finally {
    if (reading.isIdle) known.delete(key)
  }
}

async function readVersion(deps: Deps, tables: readonly TableName[]): Promise<string | null> {
  const [first] = tables
  const query = versionedTotal(tables, sql`null::text`)
  const { request } = currentBudget()
  // Several requests wait for it, so the client of one must not end it.
  const found = await withOwnBudget({ ms: MAX_MS, request }, () => rows<TotalRow>(deps.db, query))
  const { version, pending } = one(found)
  if (first) compactWhenMany(deps, first, pending)
  return version
}
