import { type Cell, cellText, FileFault } from './source'

export const MAX_COLUMNS = 2_000

/** Names of columns from the cells of the first line. Throws `FileFault` for too many and for repeated ones. */
export function nameColumns(cells: readonly Cell[]): string[] {
  const last = cells.findLastIndex((cell) => cell !== null && cell !== '')
  if (last < 0) throw new FileFault('The first line names no columns')
  if (last >= MAX_COLUMNS) throw tooManyColumns(last + 1)
  const names = cells.slice(0, last + 1).map(
    (cell, at) =>
      cellText(cell ?? '')
        .trim()
        .slice(0, 200) || `column ${at + 1}`,
  )
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined)
    throw new FileFault(`Two columns are called "${repeated}"; give each a name of its own`)
  return names
}

export const tooManyColumns = (count: number): FileFault =>
  new FileFault(`The file has ${count} columns; at most ${MAX_COLUMNS} are read`)

/** The columns of a table: their names, and where they stand in its rows. */
export type UsedColumns = { names: string[]; positions: number[]; width: number }

/** Those that the first row names, and those without a name that have values in the rows that follow. Throws `FileFault`. */
export function usedColumns(first: readonly Cell[], following: readonly (readonly Cell[])[]) {
  const all = nameColumns(first)
  const positions = [...all.keys()].filter(
    (at) => isNamed(first[at]) || following.some((cells) => isFilled(cells[at])),
  )
  return { names: positions.map((at) => all[at] as string), positions, width: all.length }
}

/** The cells of a row in those columns, then those beyond all of them; and why it can't be read. */
export function cellsOf(row: readonly Cell[], { positions, width }: UsedColumns) {
  if (positions.length === width) return { cells: row }
  const cells = [...positions.map((at) => row[at] ?? null), ...row.slice(width)]
  const lost = lostColumn(row.slice(0, width), new Set(positions))
  if (lost === undefined) return { cells }
  const fault = `holds a value in column ${lost + 1}, which the first line does not name`
  return { cells, fault }
}

const lostColumn = (row: readonly Cell[], positions: ReadonlySet<number>): number | undefined =>
  [...row.keys()].find((at) => !positions.has(at) && isFilled(row[at]))

const isNamed = (cell: Cell | undefined) => String(cell ?? '').trim() !== ''

const isFilled = (cell: Cell | undefined) => cell !== undefined && cell !== null && cell !== ''
