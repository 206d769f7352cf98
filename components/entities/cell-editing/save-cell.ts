import { ApiError } from '@/lib/http/client'
import { type ExactJson, exactJsonText } from '@/lib/values/exact-json'
import { type Current, loadCurrent } from '../load-current'
import { patchRow, refreshRelated } from '../patch-row'
import { announceChange, saveRecord } from '../save-record'
import type { EntityRecord } from '../types'

/** The field has another value than the one that was seen when it was edited. */
export class CellConflict extends Error {
  constructor(readonly now: Current) {
    super('Another user changed this field meanwhile')
  }
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
    refreshRelated(entity, Object.keys(values))
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
