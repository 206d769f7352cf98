import { useCallback, useMemo, useState } from 'react'

export type RowSelection = {
  ids: ReadonlySet<string>
  /** Every row of the whole match, those not loaded included. */
  allMatching: boolean
  has: (id: string) => boolean
  toggle: (id: string) => void
  /** Lays a range to `to`: from where the last one began, or from `from` (see `extended`). */
  extend: (to: string, from?: string) => void
  togglePage: () => void
  /** These and no others. */
  replace: (ids: ReadonlySet<string>) => void
  selectAllMatching: () => void
  clear: () => void
}

/** Which rows are selected; `pageIds` are those on the screen, in order. */
export function useRowSelection(pageIds: readonly string[]): RowSelection {
  const [selection, set] = useState(NOTHING_SELECTED)
  const { ids, allMatching } = selection
  const toggle = useCallback((id: string) => set((now) => toggled(now, id)), [])
  const extend = useCallback(
    (to: string, from?: string) => set((now) => extended(now, pageIds, to, from)),
    [pageIds],
  )
  const togglePage = useCallback(() => set((now) => pageToggled(now, pageIds)), [pageIds])
  const replace = useCallback((next: ReadonlySet<string>) => set(selectionOf(next)), [])
  const clear = useCallback(() => set(NOTHING_SELECTED), [])
  return useMemo(
    () => ({
      ids,
      allMatching,
      has: (id) => allMatching || ids.has(id),
      toggle,
      extend,
      togglePage,
      replace,
      selectAllMatching: () => set((now) => ({ ...now, allMatching: true })),
      clear,
    }),
    [ids, allMatching, toggle, extend, togglePage, replace, clear],
  )
}

/** Where a range of rows began, and what it was laid over. */
type Range = {
  anchor: string
  /** The row that the range goes to. */
  end: string
  /** What was selected before: it comes back when the range shrinks. */
  base: ReadonlySet<string>
  /** Rows of the range become selected, or no longer selected, as the row that it began at. */
  on: boolean
}

/** The selected rows by id. Functions below return a new one. */
export type Selection = {
  ids: ReadonlySet<string>
  /** Every row of the whole match, those not loaded included. */
  allMatching: boolean
  range: Range | null
}

export const NOTHING_SELECTED: Selection = { ids: new Set(), allMatching: false, range: null }

export const selectionOf = (ids: ReadonlySet<string>): Selection => ({
  ids,
  allMatching: false,
  range: null,
})

/** The other state for one row, from which the next range begins. */
export function toggled({ ids }: Selection, id: string): Selection {
  const on = !ids.has(id)
  const next = withRows(ids, [id], on)
  return { ids: next, allMatching: false, range: { anchor: id, end: id, base: next, on } }
}

/**
 * Lays the range from its anchor to `to`, in the `order` of the rows on the screen; what it covered
 * before and no longer does is as it was. Without a range, or with `from` that is at neither of its
 * ends, a new one begins: at `from`, else at `to`.
 */
export function extended(
  { ids, range }: Selection,
  order: readonly string[],
  to: string,
  from?: string,
): Selection {
  const continues = range && order.includes(range.anchor) && (!from || isEnd(range, from))
  const anchor = from ?? to
  const { base, on, ...own } = continues ? range : { anchor, base: ids, on: true }
  const rows = between(order, own.anchor, to)
  return {
    ids: withRows(base, rows, on),
    allMatching: false,
    range: { anchor: own.anchor, end: to, base, on },
  }
}

/** All rows of the page, or none of them when all are selected. */
export const pageToggled = ({ ids }: Selection, page: readonly string[]): Selection =>
  selectionOf(withRows(ids, page, !page.every((id) => ids.has(id))))

const isEnd = ({ anchor, end }: Range, id: string) => id === anchor || id === end

function between(order: readonly string[], one: string, other: string): readonly string[] {
  const [from, to] = [order.indexOf(one), order.indexOf(other)].sort((a, b) => a - b)
  return order.slice(from, (to as number) + 1)
}

function withRows(ids: ReadonlySet<string>, rows: readonly string[], on: boolean): Set<string> {
  const next = new Set(ids)
  for (const id of rows) on ? next.add(id) : next.delete(id)
  return next
}
