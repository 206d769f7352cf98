import { FileFault } from './file-fault'
import { instantText } from './instant-text'
import type { Cell } from './source'

export const MAX_COLUMNS = 2_000

/** Names of columns from the cells of the first line. Throws `FileFault` for too many and for repeated ones. */
export function nameColumns(cells: readonly Cell[]): string[] {
  const last = cells.findLastIndex((cell) => cell !== null && cell !== '')
  if (last < 0) throw new FileFault('The first line names no columns')
  if (last >= MAX_COLUMNS) throw tooManyColumns(last + 1)
  const names = cells
    .slice(0, last + 1)
    .map(
      (cell, at) =>
        (cell instanceof Date ? instantText(cell) : String(cell ?? '')).trim().slice(0, 200) ||
        `column ${at + 1}`,
    )
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined)
    throw new FileFault(`Two columns are called "${repeated}"; give each a name of its own`)
  return names
}

export const tooManyColumns = (count: number): FileFault =>
  new FileFault(`The file has ${count} columns; at most ${MAX_COLUMNS} are read`)
