import type { KeyboardEvent } from 'react'

/** Arrow keys, Home and End move from row to row; keys pressed inside a row are left alone. */
export function moveFocus(
  event: KeyboardEvent,
  body: HTMLTableSectionElement | null,
  setCurrent: (index: number) => void,
): void {
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
  const row = (event.target as HTMLElement).closest('tr')
  if (!body || !row || row !== event.target) return
  const rows = [...body.rows]
  const last = rows.length - 1
  const index = rows.indexOf(row)
  const step = steps[event.key]
  const next =
    step !== undefined ? index + step : event.key === 'Home' ? 0 : event.key === 'End' ? last : null
  if (next === null) return
  event.preventDefault()
  const target = Math.min(Math.max(0, next), last)
  setCurrent(target)
  rows[target]?.focus()
}
