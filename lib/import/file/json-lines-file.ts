import { JsonSyntaxError, parseJson } from '@/lib/values/json'
import { FileFault } from './file-fault'
import type { FileForm } from './file-form'
import { namesOfFirst } from './names-of-first'
import { type Encoding, readText } from './read-text'
import type { Source, SourceRow } from './source'

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
      yield lines.filter(isGiven).map(toRow)
    }
    if (!isCut) yield [rest].filter(isGiven).map(toRow)
  }
  return { format: 'jsonl', columns: await namesOfFirst(rows()), rows }
}

const isGiven = (line: string) => line.trim() !== ''

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
