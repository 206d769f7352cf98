import { DefinitionError } from '@/lib/entities/definitions/definition-error'
import { type JsonObject, JsonSyntaxError } from '@/lib/json'
import { NotRecordsError, parseContent } from './parse-content'
import type { ContentFile } from './parse-plugin'
import { substitute } from './variables'
import { FileFailure } from './verdict'

/**
 * The objects in a content file, variables replaced, with `exactly` as of `parseContent`. Throws what
 * `toFailure` understands.
 */
export async function readContent(
  { bytes, variables }: ContentFile,
  options: { exactly?: boolean } = {},
): Promise<JsonObject[]> {
  const items = await parseContent(bytes, options)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('${')
    ? items.map((item) => substitute(item, variables))
    : items
}

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
  if (error instanceof DefinitionError) return new FileFailure(error.verdict, error.details)
  return null
}
