import type { ReactNode } from 'react'

/** A column of a `DataTable`. `id` is the field that is selected and sorted by. */
export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** What is copied of a cell, where it is not what it shows. */
  text?: (row: Row) => string
  align?: 'start' | 'end'
  /** The server can sort by it; true unless said otherwise. */
  sortable?: boolean
  /** Hidden until chosen. */
  hidden?: boolean
  /** Can't be hidden: it names the row. */
  fixed?: boolean
  /** Stays in sight when the table scrolls sideways: for the first column of a table without selection. */
  sticky?: boolean
  /** Its cells are links or buttons that open the row. */
  opens?: boolean
  /** Pixels. */
  width?: number
  /** On hover over the heading: the type, a description. */
  hint?: string
}

export const DEFAULT_WIDTH = 168
export const MIN_WIDTH = 64
export const MAX_WIDTH = 800

/** The columns to show, in order: those the address names, else the list's own choice. */
export function visibleColumns<Row>(
  columns: readonly Column<Row>[],
  cols: string[] | null,
): Column<Row>[] {
  if (!cols) return columns.filter(({ hidden }) => !hidden)
  const byId = new Map(columns.map((column) => [column.id, column]))
  const named = cols.flatMap((id) => byId.get(id) ?? [])
  const missing = columns.filter(({ id, fixed }) => fixed && !cols.includes(id))
  return [...missing, ...named]
}

/** `ids` with `id` moved to the index `to`, at most to one of the ends. */
export function moved(ids: readonly string[], id: string, to: number): string[] {
  const rest = ids.filter((each) => each !== id)
  const place = Math.min(Math.max(0, to), rest.length)
  return [...rest.slice(0, place), id, ...rest.slice(place)]
}
