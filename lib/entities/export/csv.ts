import { type SQL, sql } from 'drizzle-orm'
import type { ExportColumn } from './export-columns'

/**
 * What a spreadsheet takes for the start of a formula: `=`, `+`, `-`, `@`, tab, CR, LF, and the wide
 * forms of the first four (OWASP, CSV Injection).
 */
const STARTERS = [0x3d, 0x2b, 0x2d, 0x40, 9, 13, 10, 0xff1d, 0xff0b, 0xff0d, 0xff20]
const STARTER_LIST = sql.raw(STARTERS.join(', '))

/** The value as a cell: texts that look like a formula get an apostrophe before them. */
export function csvCell({ kind, value, json }: ExportColumn): SQL {
  if (kind === 'boolean') return sql`(${value})::text`
  if (kind === 'text') return harmless(value)
  if (!json) return value
  return sql`case jsonb_typeof(${json}) when 'string' then ${harmless(value)} else ${value} end`
}

const harmless = (text: SQL): SQL =>
  sql`case when ascii(${text}) in (${STARTER_LIST}) then '''' || ${text} else ${text} end`

const BOM = '\uFEFF'

/** RFC 4180: a line of names, CRLF, quotes where they are needed; null is empty, a text without length is `""`. */
export async function* encodeCsv(
  lines: AsyncIterable<Buffer>,
  labels: readonly string[],
  { bom }: { bom: boolean },
): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(`${bom ? BOM : ''}${labels.map(csvLabel).join(',')}\r\n`)
  for await (const chunk of lines) yield withCrlf(chunk)
}

function csvLabel(label: string): string {
  const text = STARTERS.includes(label.codePointAt(0) ?? 0) ? `'${label}` : label
  return /[",\r\n]/.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Line breaks inside quotes stay. A chunk begins outside of them, so every other part between quotes
 * is outside too. Bytes are read as Latin-1, which gives them back as they were.
 */
function withCrlf(chunk: Buffer): Buffer {
  const text = chunk.toString('latin1')
  const parts = text.includes('"') ? text.split('"') : [text]
  for (let at = 0; at < parts.length; at += 2)
    parts[at] = (parts[at] as string).replaceAll('\n', '\r\n')
  return Buffer.from(parts.join('"'), 'latin1')
}
