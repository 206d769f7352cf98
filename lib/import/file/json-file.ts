import { faultOfText, readRecordStream } from '@/lib/plugins/read-record-stream'
import { FileFault } from './file-fault'
import type { FileForm } from './file-form'
import { jsonPieces } from './json-pieces'
import { namesOfFirst } from './names-of-first'
import type { Encoding } from './read-text'
import type { Source, SourceRow } from './source'

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
      for await (const batch of readRecordStream(pieces, limits))
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
