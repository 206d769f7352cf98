'use client'
import { useCallback, useMemo, useRef, useState } from 'react'

export type RowSelection = {
  ids: ReadonlySet<string>
  /** Every row of the whole match, those not loaded included. */
  allMatching: boolean
  has: (id: string) => boolean
  /** With `range` all rows from the last one touched to this one become as this one becomes. */
  toggle: (id: string, range: boolean) => void
  togglePage: () => void
  /** These and no others. */
  replace: (ids: ReadonlySet<string>) => void
  selectAllMatching: () => void
  clear: () => void
}

/** Which rows are selected; `pageIds` are those on the screen, in order. */
export function useRowSelection(pageIds: readonly string[]): RowSelection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [allMatching, setAllMatching] = useState(false)
  const anchor = useRef<string | null>(null)
  const toggle = useCallback(
    (id: string, range: boolean) => {
      setAllMatching(false)
      // React calls the function below later, when the anchor is another one.
      const from = range ? anchor.current : null
      anchor.current = id
      setIds((before) => toggled(before, pageIds, id, from))
    },
    [pageIds],
  )
  const clear = useCallback(() => {
    setIds(new Set())
    setAllMatching(false)
  }, [])
  const replace = useCallback((next: ReadonlySet<string>) => {
    setAllMatching(false)
    setIds(next)
  }, [])
  const togglePage = useCallback(() => {
    setAllMatching(false)
    setIds((before) => {
      const every = pageIds.every((id) => before.has(id))
      const next = new Set(before)
      for (const id of pageIds) every ? next.delete(id) : next.add(id)
      return next
    })
  }, [pageIds])
  return useMemo(
    () => ({
      ids,
      allMatching,
      has: (id) => allMatching || ids.has(id),
      toggle,
      togglePage,
      replace,
      selectAllMatching: () => setAllMatching(true),
      clear,
    }),
    [ids, allMatching, toggle, togglePage, replace, clear],
  )
}

/** The selection after `id` was pressed, with the rows between it and `anchor` when there is one. */
export function toggled(
  before: ReadonlySet<string>,
  order: readonly string[],
  id: string,
  anchor: string | null,
): Set<string> {
  const next = new Set(before)
  const on = !before.has(id)
  const from = anchor === null ? -1 : order.indexOf(anchor)
  const to = order.indexOf(id)
  const touched = from < 0 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1)
  for (const each of touched) on ? next.add(each) : next.delete(each)
  return next
}
