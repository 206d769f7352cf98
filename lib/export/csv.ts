import { type SQL, sql } from 'drizzle-orm'
import type { FieldKind } from '@/lib/kinds/field-kind'
import { KINDS } from '@/lib/kinds/kinds'
import { FORMULA_START, INNER_FORMULA, JSON_SEPARATORS, withoutFormulas } from './csv-formula'
import type { ExportColumn } from './export-columns'

/** What `FORMULA_START` begins with, as code points: few texts need the expression. */
const STARTERS = sql.raw([..."'=+-@\t\r\n＝＋－＠"].map((sign) => sign.codePointAt(0)).join(', '))

/** The value as a cell: a formula becomes text. */
export function csvCell({ kind, value, json }: ExportColumn): SQL {
  if (!json) return CELLS[KINDS[kind].csvCell](value)
  return sql`case jsonb_typeof(${json}) when 'string' then ${harmless(value)} else ${harmlessJson(value)} end`
}

const CELLS: Record<FieldKind['csvCell'], (value: SQL) => SQL> = {
  value: (value) => value,
  text: (value) => sql`(${value})::text`,
  'harmless text': harmless,
}

/** As in `withoutFormulas`. */
function harmless(text: SQL): SQL {
  const inner = replacing(text, INNER_FORMULA, "\\1'\\2")
  const starts = sql`ascii(${text}) in (${STARTERS}) and ${text} ~ ${FORMULA_START}`
  return sql`case when ${starts} then '''' || ${inner} else ${inner} end`
}

const harmlessJson = (text: SQL): SQL =>
  JSON_SEPARATORS.reduce((found, [pattern, code]) => replacing(found, pattern, `\\\\${code}`), text)

/** Few texts match, and the test is cheaper than the replacement. */
const replacing = (text: SQL, pattern: string, by: string): SQL =>
  sql`case when ${text} ~ ${pattern} then regexp_replace(${text}, ${pattern}, ${by}, 'g') else ${text} end`

const BOM = '\uFEFF'

/** RFC 4180: a line of names, CRLF, quotes where needed; null is empty, an empty text is `""`. */
export async function* encodeCsv(
  lines: AsyncIterable<Buffer>,
  labels: readonly string[],
  { bom }: { bom: boolean },
): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(`${bom ? BOM : ''}${labels.map(csvLabel).join(',')}\r\n`)
  for await (const chunk of lines) yield withCrlf(chunk)
}

function csvLabel(label: string): string {
  const text = withoutFormulas(label)
  return /[",\r\n]/.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Line breaks inside quotes stay. A chunk starts outside quotes, so every other part between quotes
 * is outside too. Bytes are read as Latin-1, which preserves them.
 */
function withCrlf(chunk: Buffer): Buffer {
  const text = chunk.toString('latin1')
  const parts = text.includes('"') ? text.split('"') : [text]
  const ended = parts.map((part, at) => (at % 2 === 0 ? part.replaceAll('\n', '\r\n') : part))
  return Buffer.from(ended.join('"'), 'latin1')
}
