import { faultOfText } from '@/lib/archives/read-content'
import { readRecordsInPieces } from '@/lib/archives/read-records'
import { isObject, JsonSyntaxError, parseJson } from '@/lib/values/json'
import { MAX_COLUMNS } from './name-columns'
import { readPieces, readText } from './read-text'
import { type Encoding, FileFault, type FileForm, type Source, type SourceRow } from './source'

const MAX_RECORD_BYTES = 16 * 1024 * 1024

/** A JSON file: an array of objects, or one object. One that `isCut` ends with its last whole record. */
export async function jsonFile(
  path: string,
  encoding: Encoding,
  { isCut = false }: FileForm,
): Promise<Source> {
  async function* rows(onBytes?: (bytes: number) => void): AsyncGenerator<SourceRow[]> {
    const limits = { MAX_RECORDS: Number.MAX_SAFE_INTEGER, MAX_JSON_BYTES: MAX_RECORD_BYTES }
    try {
      const pieces = jsonPieces(path, encoding, { onBytes, isCut })
      for await (const batch of readRecordsInPieces(pieces, limits))
        yield batch.map((record) => ({ record }))
    } catch (error) {
      const fault = faultOfText(error)
      if (isCut && fault !== null) return
      throw fault === null ? error : new FileFault(withHint(fault))
    }
  }
  return { format: 'json', columns: await namesOfFirst(rows()), rows }
}

/** The first line may have been too long to tell that more of them follow. */
const withHint = (fault: string): string =>
  /^Line (?!1,).*Expected the end of the text$/.test(fault)
    ? `${fault}; where each line is an object, say format=jsonl`
    : fault

/**
 * Whether a text that begins so is JSON or has JSON in each line: a list or an object that goes on in the next line, or an object that
 * another one follows. Null for what may be either, and for other texts.
 */
export function jsonFormOf(beginning: string): 'json' | 'jsonl' | null {
  const text = beginning.trimStart()
  if (text.startsWith('[') || /^\{\s*?\n/.test(text)) return 'json'
  const end = text.indexOf('\n')
  const isFollowed = end > 0 && text.slice(end).trimStart().startsWith('{')
  return isFollowed && isObjectText(text.slice(0, end)) ? 'jsonl' : null
}

function isObjectText(line: string): boolean {
  try {
    JSON.parse(line)
    return line.startsWith('{')
  } catch {
    return false
  }
}

const MAX_LINE_CHARS = 16 * 1024 * 1024

/** A file with a JSON object in each line; blank lines are skipped, and the last one of a file that `isCut`. */
export async function jsonLinesFile(
  path: string,
  encoding: Encoding,
  { isCut = false }: FileForm,
): Promise<Source> {
  async function* rows(onBytes?: (bytes: number) => void): AsyncGenerator<SourceRow[]> {
    let rest = ''
    for await (const text of readText(path, encoding, { onBytes, isCut })) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > MAX_LINE_CHARS)
        throw new FileFault(
          `A line is longer than ${MAX_LINE_CHARS.toLocaleString('en')} characters`,
        )
      yield lines.filter(isFilled).map(toRow)
    }
    if (!isCut) yield [rest].filter(isFilled).map(toRow)
  }
  return { format: 'jsonl', columns: await namesOfFirst(rows()), rows }
}

const isFilled = (line: string) => line.trim() !== ''

/** Numbers that a double might round, and texts that could pass for such a marked number. */
const INEXACT = /[\d.]{16}|\d[eE]|\\u?d800|\\uD800/

function toRow(line: string): SourceRow {
  try {
    if (!INEXACT.test(line)) return { record: JSON.parse(line), text: line }
  } catch {
    // Once more below, for the reason.
  }
  try {
    return { record: parseJson(line, { exactly: true }), text: line }
  } catch (error) {
    const reason = error instanceof JsonSyntaxError ? error.reason : 'it cannot be read'
    return { record: null, text: line, fault: `is not valid JSON: ${reason}` }
  }
}

type Options = Parameters<typeof readText>[2]

/** A JSON text in pieces, in UTF-8 whatever the encoding of its file. */
async function* jsonPieces(
  path: string,
  encoding: Encoding,
  options: NonNullable<Options>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (encoding === 'utf-8') yield* readPieces(path, options.onBytes)
  else
    for await (const text of readText(path, encoding, options)) yield new TextEncoder().encode(text)
}

/** How many records say which fields a file has. */
const FIRST_RECORDS = 100

/** The names of the first records, in their order. Throws `FileFault` when there is none, and for too many. */
async function namesOfFirst(batches: AsyncGenerator<SourceRow[]>): Promise<string[]> {
  const names = new Set<string>()
  let records = 0
  for await (const batch of batches) {
    for (const row of batch.slice(0, FIRST_RECORDS - records)) {
      records++
      if (!('record' in row) || !isObject(row.record)) continue
      for (const name of Object.keys(row.record)) names.add(name)
    }
    if (names.size > MAX_COLUMNS)
      throw new FileFault(`The records have more than ${MAX_COLUMNS} different names`)
    if (records >= FIRST_RECORDS) break
  }
  if (names.size === 0) throw new FileFault('The file has no records')
  return [...names]
}
