import type { LiveChange } from './live-change'

/** What others did to a list that is read: it stays as it is until its reader asks for the rest. */
export type LiveList = {
  /** Keys of records that are not shown yet. */
  added: ReadonlySet<string>
  /** Keys of shown records that are no longer there. */
  deleted: ReadonlySet<string>
  /** Something else is to be shown, of which the number is not known. */
  isBehind: boolean
}

export const UNCHANGED: LiveList = { added: new Set(), deleted: new Set(), isBehind: false }

/** The list after changes of others, given the keys of the shown records. Pure. */
export function withChanges(
  list: LiveList,
  changes: readonly LiveChange[],
  shown: ReadonlySet<string>,
): LiveList {
  const [added, deleted] = [new Set(list.added), new Set(list.deleted)]
  let { isBehind } = list
  for (const { action, key } of changes) {
    if (key === null) isBehind = true
    else if (action === 'created' || action === 'entered') {
      if (!shown.has(key)) added.add(key)
      deleted.delete(key)
    } else if (action === 'deleted' || action === 'left') {
      added.delete(key)
      if (shown.has(key)) deleted.add(key)
    }
  }
  return { added, deleted, isBehind }
}

/** What the bar says; null: nothing. `added`: how many of the new records belong to the list. */
export function barText({ deleted, isBehind }: LiveList, added: number): string | null {
  const parts = [
    added > 0 && `${added.toLocaleString('en')} new ${added === 1 ? 'record' : 'records'}`,
    deleted.size > 0 && `${deleted.size.toLocaleString('en')} deleted`,
  ].filter(Boolean)
  if (parts.length > 0) return parts.join(', ')
  return isBehind ? 'Records have changed' : null
}
