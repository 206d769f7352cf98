import { setImmediate as otherRequests } from 'node:timers/promises'
import {
  DefinitionError,
  type FileDetail,
  fault,
  toPointer,
} from '@/lib/definitions/definition-faults'
import { formatBytes } from '@/lib/values/format-bytes'
import { isObject, type Json, type JsonObject, JsonSyntaxError, literalOf } from '@/lib/values/json'
import { FileFailure, type PluginFile } from './plugin-file'
import { NotRecordsError, readRecords } from './read-records'
import { substitute } from './variables'

/** The limit of one file of definitions, which is checked without a pause. */
const MAX_DEFINITION_BYTES = 1024 * 1024
const MAX_DEFINITIONS = 1_000

/** The definitions of a file, and a warning for each number that was rounded. */
type ReadDefinitions = { items: JsonObject[]; warnings: FileDetail[] }

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

/**
 * The value with doubles in place of marked numbers (see `literalOf`);
 * `warnings` gets one for each. The limits in a definition are doubles; a default need not be one.
 */
function roundNumbers(value: Json, warnings: FileDetail[], pointer = ''): Json {
  const digits = literalOf(value)
  if (digits !== null) {
    warnings.push(fault(pointer, roundingOf(digits, pointer)))
    return Number(digits)
  }
  const within = (item: Json, key: PropertyKey) =>
    roundNumbers(item, warnings, pointer + toPointer([key]))
  if (Array.isArray(value)) return value.map(within)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, within(item, key)]))
}

/** Values of decimals and `bigint` may be texts, which keep their digits. */
const VALUE = /\/(?:default|const|enum\/\d+)$/

function roundingOf(digits: string, pointer: string): string {
  const advice = VALUE.test(pointer) ? '; as text a decimal or bigint keeps its digits' : ''
  return `${digits.slice(0, 100)} is rounded to ${Number(digits)}, since numbers here have double precision${advice}`
}

/** What is wrong with a JSON text, and where; null for an error that it did not cause. */
export function faultOfText(error: unknown): string | null {
  const [detail] = toFailure(error)?.details ?? []
  if (!detail) return null
  const { line, column, index, message } = detail
  if (line !== undefined) return `Line ${line}, column ${column}: ${message}`
  return index === undefined ? message : `Record ${index}: ${message}`
}
