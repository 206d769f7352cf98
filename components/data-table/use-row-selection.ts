'use client'
import { useCallback, useMemo, useState } from 'react'
import { extended, NOTHING_SELECTED, pageToggled, selectionOf, toggled } from './selection'

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
