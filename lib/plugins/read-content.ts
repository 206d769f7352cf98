import { DefinitionError } from '@/lib/entities/definitions/definition-error'
import { formatBytes } from '@/lib/format-bytes'
import { type JsonObject, JsonSyntaxError } from '@/lib/json'
import { NotRecordsError, readRecords } from './content/read-records'
import type { ContentFile } from './parse-plugin'
import { substitute } from './variables'
import { FileFailure } from './verdict'

/** Of one file of definitions: so much is checked without a pause that other requests would feel. */
const MAX_DEFINITION_BYTES = 1024 * 1024
const MAX_DEFINITIONS = 1_000

/** The definitions in a content file, variables replaced. Throws what `toFailure` understands. */
export async function readDefinitions({
  bytes,
  variables,
  limits,
}: ContentFile): Promise<JsonObject[]> {
  if (bytes.length > MAX_DEFINITION_BYTES)
    throw tooLarge(`is larger than ${formatBytes(MAX_DEFINITION_BYTES)}`)
  const room = { chars: limits.MAX_JSON_BYTES }
  const definitions: JsonObject[] = []
  for await (const batch of readRecords(bytes, limits)) {
    if (definitions.length + batch.length > MAX_DEFINITIONS)
      throw tooLarge(`holds more than ${MAX_DEFINITIONS} definitions`)
    for (const item of batch) definitions.push(substitute(item, variables, room))
  }
  return definitions
}

const tooLarge = (what: string) =>
  new FileFailure('Invalid definition', [{ message: `The file ${what}; split it` }])

/**
 * The records of a data file, some at a time, variables replaced; numbers that a double would round
 * as marked text (see `literalOf`). Throws what `toFailure` understands.
 */
export async function* readData({
  bytes,
  variables,
  limits,
}: ContentFile): AsyncGenerator<JsonObject[]> {
  const replaces = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('${')
  // Variables may make much of little: they get as much room as the file itself may take.
  let left = limits.MAX_ENTRY_BYTES
  let index = 0
  const expand = (item: JsonObject): JsonObject => {
    const room = { chars: Math.min(left, limits.MAX_JSON_BYTES) }
    const before = room.chars
    try {
      return substitute(item, variables, room)
    } catch (error) {
      throw error instanceof FileFailure ? at(index, error) : error
    } finally {
      left -= before - room.chars
      index++
    }
  }
  for await (const batch of readRecords(bytes, limits, { exactly: true }))
    yield replaces ? batch.map(expand) : batch
}

const at = (index: number, { verdict, details }: FileFailure) =>
  new FileFailure(
    verdict,
    details.map((detail) => ({ index, ...detail })),
  )

/** The failure of one file that an error means, or null for an error that is nobody's content. */
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
    return new FileFailure(error.verdict, error.details, error.count)
  return null
}
