import { bookFault } from './book-fault'

const SHEET_COLUMNS = 16_384

/** The number of a column of a reference such as `B2`. Throws `FileFault`. */
export function columnOf(reference: string | undefined): number | undefined {
  if (reference === undefined) return undefined
  let column = 0
  for (const letter of /^[A-Za-z]{1,3}(?=\d{1,7}$)/.exec(reference)?.[0].toUpperCase() ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64
  if (column > 0 && column <= SHEET_COLUMNS) return column
  throw bookFault(`"${reference.slice(0, 20)}" is no cell`)
}
