import { type SQL, sql } from 'drizzle-orm'
import type { CellValue } from 'hucre/xlsx'
import type { FieldKind } from '@/lib/kinds/field-kind'
import { KINDS } from '@/lib/kinds/kinds'
import type { ExportColumn } from './export-columns'
import { MAX_CELL_CHARS, tooLong } from './long-texts'

/** The value as text; for JSON, whose type varies by record, with a letter for its type. */
export function xlsxCell({ value, json }: ExportColumn): SQL {
  if (!json) return sql`(${value})::text`
  return sql`case jsonb_typeof(${json}) when 'number' then 'n' when 'boolean' then 'b' else 's' end || ${value}`
}

/** A workbook of one sheet, or of more where a sheet can't hold all rows; each with a header row. */
export async function* encodeXlsx(
  lines: AsyncIterable<Buffer>,
  columns: readonly ExportColumn[],
  sheetName: string,
): AsyncGenerator<Uint8Array, void, void> {
  const { writeXlsxStream } = await import('hucre/xlsx')
  yield* writeXlsxStream(cellsOf(lines, columns), {
    name: sheetName
      .replace(ESCAPE_START, '-')
      .replace(/[[\]:*?/\\]/g, '_')
      .slice(0, 31),
    columns: columns.map((column) => ({ header: sheetText(column.label), width: widthOf(column) })),
    freezePane: { rows: 1 },
    zip64: true,
  })
}

/** In characters: room for the header and for usual values of the kind. */
const widthOf = ({ label, kind, json }: ExportColumn): number =>
  Math.min(
    MAX_WIDTH,
    Math.max(label.length + 2, json ? WIDTHS.text : WIDTHS[KINDS[kind].sheetCell]),
  )

const MAX_WIDTH = 48
const WIDTHS: Record<FieldKind['sheetCell'], number> = { text: 24, number: 14, boolean: 8 }

async function* cellsOf(
  lines: AsyncIterable<Buffer>,
  columns: readonly ExportColumn[],
): AsyncGenerator<CellValue[]> {
  const readers = columns.map(({ kind, json }) =>
    json ? jsonCell : READERS[KINDS[kind].sheetCell],
  )
  for await (const chunk of lines) {
    const rows = chunk.toString('utf8', 0, chunk.length - 1).split('\n')
    for (const row of rows)
      yield row.split('\t').map((field, at) => {
        const read = readers[at] ?? sheetText
        return field === '\\N' ? null : read(field.includes('\\') ? unescaped(field) : field)
      })
  }
}

type Reader = (text: string) => CellValue

/** Longer ones were looked for before the first record was read; one that came since ends the file. */
function sheetText(text: string): string {
  if (text.length > MAX_CELL_CHARS) throw tooLong('A text')
  return escaped(text)
}

/** Sheets read `_xHHHH_` as a UTF-16 code unit (ECMA-376, `ST_Xstring`). */
const ESCAPE_START = /_(?=x[0-9a-fA-F]{4}_)/g
const escaped = (text: string): string =>
  text.includes('_x') ? text.replace(ESCAPE_START, '_x005F_') : text

/** Sheets compute with 15 digits: a longer number would be rounded, so it stays a text. */
const numberOrText = (text: string): CellValue =>
  /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(text) && digitsOf(text) <= 15 ? Number(text) : text

const digitsOf = (text: string) =>
  text
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+/, '').length

const READERS: Record<FieldKind['sheetCell'], Reader> = {
  text: sheetText,
  number: numberOrText,
  boolean: (text) => text === 'true',
}

function jsonCell(text: string): CellValue {
  const value = text.slice(1)
  if (text[0] === 'n') return numberOrText(value)
  return text[0] === 'b' ? value === 'true' : sheetText(value)
}

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** In COPY's text format. */
const unescaped = (field: string): string =>
  field.replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter)
