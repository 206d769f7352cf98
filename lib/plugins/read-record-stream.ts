import { toFailure } from './content/read-content'
import { type ContentLimits, readRecordsInPieces } from './content/read-records'

/**
 * The records of a JSON text (an array of objects, or one) that comes in pieces, in batches of about 256 KB; numbers that a
 * double would round as marked text (see `literalOf`). Throws errors of which `faultOfText` has the message.
 */
export const readRecordStream = (
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  limits: ContentLimits,
) => readRecordsInPieces(pieces, limits)

/** What is wrong with the text, and where; null for an error that it did not cause. */
export function faultOfText(error: unknown): string | null {
  const [detail] = toFailure(error)?.details ?? []
  if (!detail) return null
  const { line, column, index, message } = detail
  if (line !== undefined) return `Line ${line}, column ${column}: ${message}`
  return index === undefined ? message : `Record ${index}: ${message}`
}
