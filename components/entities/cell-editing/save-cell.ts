import { ApiError, api } from '@/lib/http/client'
import { getQueryClient } from '@/lib/query/client'
import { type ExactJson, exactJsonText } from '@/lib/values/exact-json'
import { entityPath } from '../entity-queries'
import { announceChange, saveRecord } from '../save-record'
import type { EntityRecord } from '../types'

/** A state of a record, and its ETag. */
export type Current = { record: EntityRecord; etag: string | undefined }

/** The field has another value than the one that was seen when it was edited. */
export class CellConflict extends Error {
  constructor(readonly now: Current) {
    super('Another user changed this field meanwhile')
  }
}

/** Reads a record as it is. Throws `ApiError`. */
export async function loadCurrent(entity: string, id: string): Promise<Current> {
  const { data, etag } = await api<EntityRecord>(entityPath(entity, `/${encodeURIComponent(id)}`))
  const [record] = data
  if (!record) throw new ApiError(404, 'The record does not exist any more')
  return { record, etag }
}

export type CellChange = {
  entity: string
  /** What was shown when the edit began. */
  seen: EntityRecord
  values: Record<string, ExactJson>
  /** The record as it was read for the edit. */
  current: Promise<Current>
}

const MAX_ATTEMPTS = 3
const CHANGED_MEANWHILE = 412

/**
 * Shows the values and saves them; where that is refused the former ones are shown again. Changes of other fields in the
 * meantime are no obstacle. Throws `CellConflict` when one of the fields itself was changed, and `ApiError`.
 */
export async function saveCell(change: CellChange): Promise<void> {
  const { entity, seen, values } = change
  const { persistenceId } = seen
  patchRow(entity, persistenceId, values)
  try {
    const { before, after } = await save(change)
    patchRow(entity, persistenceId, after?.record ?? values)
    announceChange(entity, before, values, after ?? { record: before, etag: undefined })
  } catch (error) {
    const shown = error instanceof CellConflict ? error.now.record : former(seen, values)
    patchRow(entity, persistenceId, shown)
    throw error
  }
}

async function save({ entity, seen, values, current }: CellChange) {
  let now = await current
  for (let attempt = 1; ; attempt++) {
    const { record } = now
    const isSame = (name: string) =>
      exactJsonText(record[name] ?? null) === exactJsonText(seen[name] ?? null)
    if (!Object.keys(values).every(isSame)) throw new CellConflict(now)
    try {
      return { before: record, after: await saveRecord(entity, record, values, now.etag) }
    } catch (error) {
      const isStale = error instanceof ApiError && error.status === CHANGED_MEANWHILE
      if (!isStale || attempt === MAX_ATTEMPTS) throw error
      now = await loadCurrent(entity, seen.persistenceId)
    }
  }
}

const former = (seen: EntityRecord, values: Record<string, ExactJson>) =>
  Object.fromEntries(Object.keys(values).map((name) => [name, seen[name] ?? null]))

/** Shows other values of a record wherever its fields are listed. */
function patchRow(entity: string, id: string, values: Record<string, ExactJson>): void {
  const patched = (record: EntityRecord): EntityRecord => {
    const shown = Object.entries(values).filter(([name]) => name in record)
    return { ...record, ...Object.fromEntries(shown) }
  }
  // Titles of references are kept below the same key.
  getQueryClient().setQueriesData({ queryKey: ['search', entity] }, (response: unknown) => {
    if (!isListed(response, id)) return response
    const data = response.data.map((one) => (one.persistenceId === id ? patched(one) : one))
    return { ...response, data }
  })
}

function isListed(response: unknown, id: string): response is { data: EntityRecord[] } {
  const data = (response as { data?: unknown } | null | undefined)?.data
  return Array.isArray(data) && data.some((one) => one?.persistenceId === id)
}
