export type Direction = 'next' | 'previous'

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
