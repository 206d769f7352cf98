import type { KeyboardEvent } from 'react'

/** Where the focus went, as numbers of rows of the body. */
export type Move = { from: number; to: number }

/** A row of the table (0: the headings) and, where the focus is in one, its cell. */
type Place = { row: number; cell: number | null }

const CONTROLS = 'a[href],button,input'

/** Everything in a table that the Tab key would stop at, but for the row itself. */
const TAB_STOPS = `${CONTROLS},[role="separator"]`

/** Leaves Tab one stop in the table: the row that has, or last had, the focus. */
export function keepOneTabStop(table: HTMLTableElement | null): void {
  for (const stop of table?.querySelectorAll<HTMLElement>(TAB_STOPS) ?? []) stop.tabIndex = -1
}

/**
 * Arrow keys, Home and End move from row to row and, after an arrow to the right, from cell to cell; with
 * Ctrl, Home and End always mean rows. `j` and `k` are arrows down and up. Above the first row are the
 * headings. Null for other keys, and where an element inside has dealt with the key.
 */
export function moveFocus(event: KeyboardEvent, table: HTMLTableElement | null): Move | null {
  if (!table || event.defaultPrevented || event.altKey || event.metaKey) return null
  const rows = [...table.rows]
  const from = placeOf(event.target as HTMLElement, rows)
  const to = from && destination(event, from, rows)
  const element = to && elementAt(to, rows)
  if (!element) return null
  event.preventDefault()
  element.focus()
  return { from: from.row - 1, to: to.row - 1 }
}

/** The control of each cell, else the cell itself. */
const stopsOf = (row: HTMLTableRowElement | undefined): HTMLElement[] =>
  [...(row?.cells ?? [])].map((cell) => cell.querySelector<HTMLElement>(CONTROLS) ?? cell)

const elementAt = ({ row, cell }: Place, rows: HTMLTableRowElement[]): HTMLElement | undefined =>
  cell === null ? rows[row] : stopsOf(rows[row])[cell]

function placeOf(target: HTMLElement, rows: HTMLTableRowElement[]): Place | null {
  const row = rows.findIndex((each) => each.contains(target))
  if (row < 0) return null
  if (target === rows[row]) return { row, cell: null }
  const cell = [...(rows[row]?.cells ?? [])].findIndex((each) => each.contains(target))
  return cell < 0 ? null : { row, cell }
}

function destination(
  { key, ctrlKey, shiftKey }: KeyboardEvent,
  { row, cell }: Place,
  rows: HTMLTableRowElement[],
): Place | null {
  const last = rows.length - 1
  // A range of rows does not lead to the headings, and the headings are no row to stop at.
  const first = shiftKey || last === 0 ? Math.min(1, last) : 0
  const to = (next: number): Place => ({
    row: Math.min(Math.max(first, next), last),
    cell: next <= 0 && first === 0 ? (cell ?? 0) : row === 0 ? null : cell,
  })
  if (key === 'ArrowDown' || (key === 'j' && !ctrlKey)) return to(row + 1)
  if (key === 'ArrowUp' || (key === 'k' && !ctrlKey)) return to(row - 1)
  if (key === 'Home' || key === 'End') {
    const isOfRows = ctrlKey || cell === null
    if (isOfRows) return { row: key === 'Home' ? Math.min(1, last) : last, cell }
    return { row, cell: key === 'Home' ? 0 : stopsOf(rows[row]).length - 1 }
  }
  if (key === 'ArrowRight')
    return { row, cell: Math.min((cell ?? -1) + 1, stopsOf(rows[row]).length - 1) }
  if (key === 'ArrowLeft' && cell !== null)
    return { row, cell: cell > 0 ? cell - 1 : row === 0 ? 0 : null }
  return null
}
