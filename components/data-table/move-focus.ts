import type { KeyboardEvent } from 'react'

/** Where the focus went, as numbers of rows. */
export type Move = { from: number; to: number }

/** Arrow keys, Home and End move from row to row; keys pressed inside a row are left alone. */
export function moveFocus(event: KeyboardEvent, body: HTMLTableSectionElement | null): Move | null {
  const row = (event.target as HTMLElement).closest('tr')
  if (!body || !row || row !== event.target) return null
  const rows = [...body.children] as HTMLElement[]
  const last = rows.length - 1
  const from = rows.indexOf(row)
  const places: Record<string, number> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    Home: 0,
    End: last,
  }
  const place = places[event.key]
  if (place === undefined) return null
  event.preventDefault()
  const to = Math.min(Math.max(0, place), last)
  rows[to]?.focus()
  return { from, to }
}
