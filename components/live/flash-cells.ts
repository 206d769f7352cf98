const FLASH_MS = 1_600
const COLOUR = 'color-mix(in oklab, var(--primary) 22%, transparent)'

/** Lets cells of a row of the page's table light up; without motion for those who want none. */
export function flashCells(row: number, fields: readonly string[]): void {
  const cells = document.querySelector<HTMLTableSectionElement>('#content table tbody')?.rows[row]
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  for (const field of fields)
    cells
      ?.querySelector(`td[data-field="${CSS.escape(field)}"]`)
      ?.animate(
        { backgroundColor: [COLOUR, isStill ? COLOUR : 'transparent'] },
        { duration: FLASH_MS, easing: 'ease-in' },
      )
}
