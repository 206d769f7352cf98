import { setImmediate as otherRequests } from 'node:timers/promises'
import { DefinitionError } from '@/lib/definitions/definition-error'
import type { FileDetail } from '@/lib/definitions/file-detail'
import { substitute } from '@/lib/plugins/archive/variables'
import type { PluginFile } from '@/lib/plugins/plugin-file'
import { FileFailure } from '@/lib/plugins/verdict'
import { formatBytes } from '@/lib/values/format-bytes'
import { type JsonObject, JsonSyntaxError } from '@/lib/values/json'
import { NotRecordsError, readRecords } from './read-records'
import { roundNumbers } from './round-numbers'

/** The limit of one file of definitions, which is checked without a pause. */
const MAX_DEFINITION_BYTES = 1024 * 1024
const MAX_DEFINITIONS = 1_000

/** The definitions of a file, and a warning for each number that was rounded. */
export type ReadDefinitions = { items: JsonObject[]; warnings: FileDetail[] }

/** The definitions in a content file, variables replaced. Throws errors that `toFailure` understands. */
export async function readDefinitions(file: PluginFile): Promise<ReadDefinitions> {
  const { bytes, variables, limits, room, path } = file
  if (bytes.length > MAX_DEFINITION_BYTES)
    throw tooLarge(`is larger than ${formatBytes(MAX_DEFINITION_BYTES)}`)
  room.begin(path)
  let left = limits.MAX_JSON_BYTES
  const definitions: JsonObject[] = []
  const warnings: FileDetail[] = []
  for await (const batch of readRecords(bytes, limits, { exactly: true })) {
    if (definitions.length + batch.length > MAX_DEFINITIONS)
      throw tooLarge(`holds more than ${MAX_DEFINITIONS} definitions`)
    for (const item of batch) {
      const definition = room.take(path, left, (own) => {
        const before = own.bytes
        const expanded = substitute(item, variables, own)
        left -= before - own.bytes
        return expanded
      })
      const rounded: FileDetail[] = []
      const index = definitions.push(roundNumbers(definition, rounded) as JsonObject) - 1
      warnings.push(...rounded.map((one) => ({ index, ...one })))
    }
  }
  return { items: definitions, warnings }
}

const tooLarge = (what: string) =>
  new FileFailure('Invalid definition', [{ message: `The file ${what}; split it` }])

/**
 * The records of a data file, in batches, variables replaced; numbers that a double would round
 * as marked text (see `literalOf`). Throws errors that `toFailure` understands.
 */
export async function* readData(file: PluginFile): AsyncGenerator<JsonObject[]> {
  const { bytes, limits, room, path } = file
  const replaces = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('${')
  room.begin(path)
  let index = 0
  for await (const batch of readRecords(bytes, limits, { exactly: true })) {
    if (replaces) yield* expand(file, batch, index)
    else yield batch
    index += batch.length
  }
}

/** The number of values expanded without a pause. */
const EXPANDED_BYTES = 1024 * 1024

/** The records with variables replaced; `first` is the index of the first in the file. */
async function* expand(
  { path, variables, limits, room }: PluginFile,
  records: readonly JsonObject[],
  first: number,
): AsyncGenerator<JsonObject[]> {
  let expanded: JsonObject[] = []
  let added = 0
  for (const [offset, record] of records.entries()) {
    room.take(path, limits.MAX_JSON_BYTES, (own) => {
      const before = own.bytes
      try {
        expanded.push(substitute(record, variables, own))
      } catch (error) {
        throw error instanceof FileFailure ? at(first + offset, error) : error
      }
      added += before - own.bytes
    })
    if (added < EXPANDED_BYTES) continue
    yield expanded
    await otherRequests()
    expanded = []
    added = 0
  }
  if (expanded.length > 0) yield expanded
}

const at = (index: number, { verdict, details }: FileFailure) =>
  new FileFailure(
    verdict,
    details.map((detail) => ({ index, ...detail })),
  )

/** The failure of a file that an error means, or null for an error that its content did not cause. */
export function toFailure(error: unknown): FileFailure | null {
  if (error instanceof FileFailure) return error
  if (error instanceof JsonSyntaxError) {
    const { line, column, reason } = error
    return new FileFailure('Invalid JSON', [{ line, column, message: reason }])
  }
  if (error instanceof NotRecordsError) {
    return new FileFailure('Invalid record', [{ index: error.index, message: error.message }])
  }
  if (error instanceof DefinitionError)
    return new FileFailure(error.verdict, error.details, error.count, error)
  return null
}
