import type { ImportRow } from '@/lib/db/schema'
import { csvFile } from './csv-file'
import { jsonFile, jsonFormOf, jsonLinesFile } from './json-file'
import { encodingOf, readBeginning } from './read-text'
import { FileFault, type FileForm, type Source } from './source'
import { xlsxFile } from './xlsx-file'

/**
 * Opens a file by its format, which its name and its first bytes tell where it is not given, and reads the names of its columns.
 * Throws `FileFault`.
 */
export async function openFile(path: string, name: string, form: FileForm): Promise<Source> {
  const beginning = await readBeginning(path)
  const encoding = form.encoding ?? encodingOf(beginning)
  const text = new TextDecoder(encoding).decode(beginning)
  const told = jsonFormOf(text)
  const format = form.format ?? formatOf(name, text, told)
  if (told && format !== told && format in NAMES)
    throw new FileFault(`The file is ${NAMES[told]}; say format=${told}`)
  if (format === 'xlsx') return xlsxFile(path, form.sheet)
  if (format === 'json') return jsonFile(path, encoding, form)
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

type Told = ReturnType<typeof jsonFormOf>

const NAMES: Record<string, string> = {
  json: 'one JSON text',
  jsonl: 'JSON Lines, an object in each line',
}

function formatOf(name: string, text: string, told: Told): ImportRow['format'] {
  const found = BY_ENDING[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '']
  if (found) return told && found in NAMES ? told : found
  if (text.startsWith('PK')) return 'xlsx'
  return told ?? (text.trimStart().startsWith('{') ? 'json' : 'csv')
}
