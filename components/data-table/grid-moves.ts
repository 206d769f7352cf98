/** Where a key leads from `index` in a grid of `columns`; null when it is no key of movement. */
export function nextIndex(
  key: string,
  index: number,
  columns: number,
  count: number,
): number | null {
  const last = count - 1
  const steps: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    // From the last row but one into a short last row: to its end, not nowhere.
    ArrowDown: rowOf(index, columns) < rowOf(last, columns) ? index + columns : index,
    ArrowUp: index - columns < 0 ? index : index - columns,
    Home: 0,
    End: last,
    PageDown: index + columns * PAGE_ROWS,
    PageUp: index - columns * PAGE_ROWS,
  }
  const next = steps[key]
  return next === undefined ? null : Math.min(Math.max(0, next), last)
}

const PAGE_ROWS = 3
const rowOf = (index: number, columns: number) => Math.floor(index / columns)

/** How many children stand in the first row. */
export function countColumns(children: readonly HTMLElement[]): number {
  const top = children[0]?.offsetTop
  const columns = children.findIndex(({ offsetTop }) => offsetTop !== top)
  return columns < 0 ? Math.max(1, children.length) : columns
}
