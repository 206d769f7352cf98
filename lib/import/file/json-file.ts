import { faultOfText, readRecordStream } from '@/lib/plugins/read-record-stream'
import { FileFault } from './file-fault'
import type { FileForm } from './file-form'
import { namesOfFirst } from './names-of-first'
import { readPieces } from './read-pieces'
import type { Source, SourceRow } from './source'

const MAX_RECORD_BYTES = 16 * 1024 * 1024

/** A JSON file: an array of objects, or one object. It is UTF-8. One that `isCut` ends with its last whole record. */
export async function jsonFile(path: string, { isCut = false }: FileForm): Promise<Source> {
  async function* rows(onBytes?: (bytes: number) => void): AsyncGenerator<SourceRow[]> {
    const limits = { MAX_RECORDS: Number.MAX_SAFE_INTEGER, MAX_JSON_BYTES: MAX_RECORD_BYTES }
    try {
      for await (const batch of readRecordStream(readPieces(path, onBytes), limits))
        yield batch.map((record) => ({ record }))
    } catch (error) {
      const fault = faultOfText(error)
      if (isCut && fault !== null) return
      throw fault === null ? error : new FileFault(fault)
    }
  }
  return { format: 'json', columns: await namesOfFirst(rows()), rows }
}
