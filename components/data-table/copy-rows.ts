import { withoutFormulas } from '@/lib/export/csv-formula'
import { isNumericText } from '@/lib/values/numeric-text'
import type { Column } from './column'

/** Texts of cells as lines of tab-separated values, as spreadsheets paste them; none of them runs there as a formula. */
export const tabSeparated = (rows: readonly (readonly string[])[]): string =>
  rows.map((texts) => texts.map(quoted).join('\t')).join('\n')

function quoted(text: string): string {
  const safe = isNumericText(text) ? text : withoutFormulas(text)
  return /["\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

type Table<Row> = { columns: readonly Column<Row>[]; rows: readonly Row[]; body: HTMLElement }

/** What the columns show of the rows with these numbers, as lines of tab-separated values. */
const copiedRows = <Row>(table: Table<Row>, numbers: readonly number[]): string =>
  tabSeparated(numbers.map((row) => table.columns.map(({ id }) => copiedCell(table, row, id))))

/** What a column shows of a row: all of it, also what a narrow cell cuts off. */
function copiedCell<Row>({ columns, rows, body }: Table<Row>, row: number, id: string): string {
  const column = columns.find((each) => each.id === id)
  const item = rows[row]
  if (column?.text && item !== undefined) return column.text(item)
  const cells = [...(body.children[row]?.children ?? [])] as HTMLElement[]
  return cells.find(({ dataset }) => dataset.field === id)?.textContent ?? ''
}

/**
 * What is copied where no letters are marked: the selected rows of the page, else the cell or the row that has the
 * focus. Null where there is none of them.
 */
export function copiedText<Row>(
  target: HTMLElement,
  { columns, rows }: Omit<Table<Row>, 'body'>,
  isSelected: (row: Row) => boolean,
): { text: string; rows: number } | null {
  const body = target.closest('table')?.tBodies[0]
  const own = target.closest('tr')
  if (!body || !own || window.getSelection()?.toString()) return null
  const table = { columns, rows, body }
  const selected = rows.flatMap((row, index) => (isSelected(row) ? [index] : []))
  const focused = [...body.children].indexOf(own)
  const numbers = selected.length > 0 ? selected : focused >= 0 ? [focused] : []
  if (numbers.length === 0) return null
  const cell = target.closest<HTMLElement>('td[data-field]')
  if (selected.length === 0 && cell)
    return { text: copiedCell(table, focused, cell.dataset.field ?? ''), rows: 1 }
  return { text: copiedRows(table, numbers), rows: numbers.length }
}
