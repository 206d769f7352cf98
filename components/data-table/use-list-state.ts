import { useQueryStates } from 'nuqs'
import { type RefObject, useMemo, useRef } from 'react'
import type { Condition } from './filter/condition'
import { rememberList, useListMemory } from './list-memory'
import { type Display, type ListParams, listParams, type SortKey, toListText } from './list-params'

export type ListState = ListParams & {
  setPage: (page: number) => void
  setSize: (size: number) => void
  setSort: (sort: SortKey[]) => void
  /** Adds, turns or (third time) ends sorting by a column; `more` keeps the other columns. */
  toggleSort: (field: string, more: boolean) => void
  setFilter: (filter: Condition[]) => void
  addCondition: (condition: Condition) => void
  setSearch: (q: string) => void
  setColumns: (cols: string[] | null) => void
  setDisplay: (display: Display) => void
  setBy: (field: string) => void
  setMonth: (month: string | null) => void
  /** Takes over a saved view; null and what is not named become the list's own choice. */
  replace: (params: Partial<ListParams>) => void
  /** Shows this without a step in the history; what it does not name stays. */
  resume: (params: Partial<ListParams>) => void
  clear: () => void
  filtered: boolean
  /** The button of the filter builder and the conditions in words, where the page shows them. */
  filterButton: RefObject<FilterButtonHandle | null>
  filterChips: RefObject<FilterChipsHandle | null>
}

type FilterButtonHandle = { open: () => void; focus: () => void }
type FilterChipsHandle = { openFirstWrong: () => void }

type Changes = { [Name in keyof ListParams]?: ListParams[Name] | null }

/** The state of a list, kept in the page's address; what the user changes is remembered (`ListMemory`). */
export function useListState(): ListState {
  const [params, setParams] = useQueryStates(listParams, { history: 'push', scroll: false })
  const memory = useListMemory()
  const filterButton = useRef<FilterButtonHandle>(null)
  const filterChips = useRef<FilterChipsHandle>(null)
  return useMemo(() => {
    const set = (changes: Changes, options?: { history: 'replace' }) => {
      if (memory) rememberList(memory, toListText({ ...params, ...changes } as ListParams))
      setParams(changes, options)
    }
    const setFilter = (filter: Condition[]) =>
      set({ filter: filter.length > 0 ? filter : null, page: null })
    const setSort = (sort: SortKey[]) => set({ sort: sort.length > 0 ? sort : null, page: null })
    return {
      ...params,
      setPage: (page) => set({ page }),
      setSize: (size) => set({ size, page: null }),
      setSort,
      toggleSort: (field, more) => setSort(nextSort(params.sort, field, more)),
      setFilter,
      addCondition: (condition) => setFilter([...params.filter, condition]),
      // Typing is one step back, not one a letter.
      setSearch: (q) => set({ q: q || null, page: null }, { history: 'replace' }),
      setColumns: (cols) => set({ cols }, { history: 'replace' }),
      setDisplay: (display) => set({ display, page: null }),
      setBy: (by) => set({ by }),
      // Turning pages of a calendar is no step to go back by.
      setMonth: (month) => set({ month }, { history: 'replace' }),
      replace: ({ sort, filter, cols, q, size, savedView, display, by }) =>
        set({
          savedView: savedView ?? null,
          display: display ?? null,
          by: by ?? null,
          sort: sort ?? null,
          filter: filter ?? null,
          cols: cols ?? null,
          q: q ?? null,
          size: size ?? null,
          page: null,
        }),
      resume: (changes) => setParams(changes, { history: 'replace' }),
      clear: () => set({ filter: null, q: null, page: null }),
      filtered: params.filter.length > 0 || params.q !== '',
      filterButton,
      filterChips,
    } satisfies ListState
  }, [params, setParams, memory])
}

/** Ascending, descending, unsorted, in turn. */
export function nextSort(sort: readonly SortKey[], field: string, more: boolean): SortKey[] {
  const found = sort.find((key) => key.field === field)
  const next: SortKey[] = !found
    ? [{ field, direction: 'asc' }]
    : found.direction === 'asc'
      ? [{ field, direction: 'desc' }]
      : []
  if (!more) return next
  if (!found) return [...sort, ...next]
  return sort.flatMap((key) => (key.field === field ? next : [key]))
}
