import type { StoredVersion } from './store'

type Neighbours = { found: StoredVersion | null; next: StoredVersion | null }

/**
 * The state that a version led to, as a row in JSON text; of a deletion the one before it, without a version
 * (`found` null) the one before the oldest. Null when the record was not stored then.
 */
export function rowOf({ found, next }: Neighbours, present: string | null): string | null {
  if (found?.kind === 'delete') return found.data
  if (found?.after) return found.after
  return next || !found ? (next?.data ?? null) : present
}
