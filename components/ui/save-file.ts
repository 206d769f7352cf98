import { jsonWithoutFormulas, withoutFormulas } from '@/lib/export/csv-formula'
import { plainText } from '@/lib/values/exact-json'

/** Saves text or bytes as a download. */
export function saveFile(name: string, content: Blob | string, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** Lets the browser write to the disk what an address of this server sends. */
export function startDownload(path: string): void {
  const link = document.createElement('a')
  link.href = path
  link.download = ''
  link.click()
}

/** A line of CSV (RFC 4180). What a spreadsheet would run as a formula becomes text. */
export const csvLine = (cells: readonly unknown[]): string => cells.map(csvCell).join(',')

function csvCell(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  const text = plainText(cell)
  const safe = typeof cell === 'string' ? withoutFormulas(text) : jsonWithoutFormulas(text)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
