import type { ImportRow } from '@/lib/db/schema'
import { csvFile } from './csv-file'
import type { FileForm } from './file-form'
import { jsonFile } from './json-file'
import { jsonLinesFile } from './json-lines-file'
import { readBeginning } from './read-pieces'
import { encodingOf } from './read-text'
import type { Source } from './source'
import { xlsxFile } from './xlsx-file'

/**
 * Opens a file by its format, which its name and its first bytes tell where it is not given, and reads the names of its columns.
 * Throws `FileFault`.
 */
export async function openFile(path: string, name: string, form: FileForm): Promise<Source> {
  const beginning = await readBeginning(path)
  const encoding = form.encoding ?? encodingOf(beginning)
  const format = form.format ?? formatOf(name, beginning)
  if (format === 'xlsx') return xlsxFile(path, form.sheet)
  if (format === 'json') return jsonFile(path, form)
  if (format === 'jsonl') return jsonLinesFile(path, encoding, form)
  return csvFile(path, encoding, form)
}

const BY_ENDING: Record<string, ImportRow['format']> = {
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  xlsx: 'xlsx',
  xls: 'xlsx',
  json: 'json',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
}

function formatOf(name: string, beginning: Uint8Array): ImportRow['format'] {
  const found = BY_ENDING[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '']
  if (found) return found
  const text = Buffer.from(beginning.subarray(0, 1_000))
    .toString('latin1')
    .replace(/^ï»¿/, '')
    .trimStart()
  if (text.startsWith('PK')) return 'xlsx'
  if (text.startsWith('[')) return 'json'
  return text.startsWith('{') ? (/\}\s*\n\s*\{/.test(text) ? 'jsonl' : 'json') : 'csv'
}
