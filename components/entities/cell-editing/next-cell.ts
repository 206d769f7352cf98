import type { KeyboardEvent } from 'react'

type Direction = 'next' | 'previous'

/** The closest cell in reading order that may be edited, in the same table body; null at its end. */
export function nextCell(
  td: HTMLElement,
  direction: Direction,
  isEditable: (field: string) => boolean,
): HTMLElement | null {
  const cells = [
    ...(td.closest('tbody')?.querySelectorAll<HTMLElement>('td[data-field]') ?? []),
  ].filter((cell) => cell === td || isEditable(cell.dataset.field ?? ''))
  return cells[cells.indexOf(td) + (direction === 'next' ? 1 : -1)] ?? null
}

/** Where the focus goes: back to the cell, to another one, or where the pointer was pressed. */
export type Leave = 'stay' | 'away' | Direction

/** What a key means for a cell that is edited; null: something for its control. `isLarge`: it has several controls or lines. */
export function leaveBy(event: KeyboardEvent, isLarge: boolean): Leave | null {
  const { key, shiftKey, ctrlKey, metaKey, nativeEvent } = event
  if (event.defaultPrevented || nativeEvent.isComposing) return null
  const isSent = ctrlKey || metaKey
  if (key === 'Tab' && !isLarge && !isSent) return shiftKey ? 'previous' : 'next'
  if (key !== 'Enter') return null
  if (isSent) return 'stay'
  const { tagName } = event.target as HTMLElement
  // A suggestion that is highlighted is chosen by its list.
  const isChoosing = (event.target as HTMLElement).hasAttribute('aria-activedescendant')
  return tagName === 'INPUT' && !isLarge && !isChoosing ? 'stay' : null
}
