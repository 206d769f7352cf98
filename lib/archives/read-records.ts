import type { Env } from '@/lib/env'
import { formatBytes } from '@/lib/values/format-bytes'
import {
  isObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  MAX_NESTING,
  parseJson,
} from '@/lib/values/json'
import { FileFailure } from './plugin-file'
import {
  RecordScanner,
  ScanError,
  type ScanFault,
  type ScanLimits,
} from './scan/record-scanner.mjs'
import { beginScan, type Scanned, scanBegun, scanInThread, scanPieces } from './scan/scan-thread'

export type ContentLimits = Pick<Env, 'MAX_RECORDS' | 'MAX_JSON_BYTES'>

/** Values in one record, which is parsed without a pause. */
const MAX_RECORD_VALUES = 500_000

/** Shorter texts are scanned here, since a thread would take longer to respond. */
const SMALL_BYTES = 128 * 1024

/**
 * The records of a content file (one object, or an array of objects), in batches and in order;
 * numbers that a double would round as marked text (see `literalOf`) if `exactly` is set.
 * Throws `JsonSyntaxError`, `NotRecordsError` naming the first item that is no object, or a
 * `FileFailure` for an exceeded limit: whichever comes first in the text.
 */
export async function* readRecords(
  bytes: Uint8Array,
  limits: ContentLimits,
  { exactly = false } = {},
): AsyncGenerator<JsonObject[]> {
  const scanLimits = scanLimitsOf(limits)
  const read = exactly ? readExactly : ({ text }: Scanned) => JSON.parse(text) as Json[]
  try {
    yield* readSlices(bytes, scanLimits, read)
  } catch (error) {
    throw error instanceof ScanError ? toError(error.fault, limits) : error
  }
}

/**
 * Begins to read a text that `readRecords` is going to read, in a thread. Returns a function to be called in the end: it stops this
 * if the text was not read.
 */
export function readAhead(bytes: Uint8Array, limits: ContentLimits): () => void {
  return bytes.length <= SMALL_BYTES ? () => {} : beginScan(bytes, scanLimitsOf(limits))
}

/** The same as `readRecords`, of a text that comes in pieces, which can't be used afterwards; always exactly. */
export async function* readRecordsInPieces(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  limits: ContentLimits,
): AsyncGenerator<JsonObject[]> {
  try {
    for await (const slice of scanPieces(pieces, scanLimitsOf(limits), { parses: true }))
      yield readExactly(slice) as JsonObject[]
  } catch (error) {
    throw error instanceof ScanError ? toError(error.fault, limits) : error
  }
}

const scanLimitsOf = (limits: ContentLimits): ScanLimits => ({
  maxRecords: limits.MAX_RECORDS,
  maxRecordBytes: limits.MAX_JSON_BYTES,
  maxRecordValues: MAX_RECORD_VALUES,
  maxNesting: MAX_NESTING,
})

const readExactly = ({ text, isExact }: Scanned) =>
  (isExact ? JSON.parse(text) : parseJson(text, { exactly: true })) as Json[]

/** Parsing a slice is the check that it is valid; where it is not, the whole text is scanned again for the first fault. */
async function* readSlices(
  bytes: Uint8Array,
  limits: ScanLimits,
  read: (slice: Scanned) => Json[],
): AsyncGenerator<JsonObject[]> {
  const scan = bytes.length <= SMALL_BYTES ? scanHere : scanInThread
  const slices = scanBegun(bytes) ?? scan(bytes, limits, { parses: false })
  try {
    for (;;) {
      const records = await nextOf(slices, read).catch(async (error) => {
        await slices.return(undefined)
        if (isOfText(error)) for await (const _ of scan(bytes, limits, { parses: true }));
        throw error
      })
      if (!records) return
      yield records
    }
  } finally {
    // Whoever reads no further gives the thread back.
    await slices.return(undefined)
  }
}

async function nextOf(
  slices: Generator<Scanned> | AsyncGenerator<Scanned>,
  read: (slice: Scanned) => Json[],
): Promise<JsonObject[] | null> {
  const { value, done } = await slices.next()
  if (done) return null
  const records = read(value)
  if (!records.every(isObject)) throw new SyntaxError('Not a list of objects')
  return records as JsonObject[]
}

const isOfText = (error: unknown) =>
  error instanceof ScanError || error instanceof SyntaxError || error instanceof JsonSyntaxError

function* scanHere(
  bytes: Uint8Array,
  limits: ScanLimits,
  options: { parses: boolean },
): Generator<Scanned> {
  const scanner = new RecordScanner(limits, options)
  yield* scanner.push(bytes)
  yield* scanner.end()
}

/** The content of a small text: its one object, or the list of its objects. Throws as `readRecords` does. */
export function scanWhole(bytes: Uint8Array, { maxValues }: { maxValues: number }): Json {
  const limits = { MAX_RECORDS: maxValues, MAX_JSON_BYTES: bytes.length }
  const scanLimits = {
    maxRecords: maxValues,
    maxRecordBytes: bytes.length,
    maxRecordValues: maxValues,
    maxNesting: MAX_NESTING,
  }
  try {
    const scanner = new RecordScanner(scanLimits)
    const slices = [...scanner.push(bytes), ...scanner.end()]
    const items = slices.flatMap((slice) => slice.items) as Json[]
    return scanner.isArray ? items : (items[0] ?? null)
  } catch (error) {
    throw error instanceof ScanError ? toError(error.fault, limits) : error
  }
}

export class NotRecordsError extends Error {
  override readonly name = 'NotRecordsError'
  constructor(
    readonly index: number,
    inArray: boolean,
  ) {
    super(
      inArray
        ? `Item ${index} is not an object`
        : 'The file must contain an object or an array of objects',
    )
  }
}

function toError(fault: ScanFault, limits: ContentLimits): Error {
  if (fault.kind === 'no-object') return new NotRecordsError(fault.index, fault.inArray)
  if (fault.kind === 'syntax') {
    const { code, position, line, column } = fault
    return new JsonSyntaxError(REASONS[code] ?? 'Not valid JSON', position, line, column)
  }
  const { limit, index } = fault
  const detail = limit === 'records' ? {} : { index }
  return new FileFailure('Invalid record', [{ ...detail, message: OVER[limit](limits) }])
}

const OVER = {
  records: ({ MAX_RECORDS }: ContentLimits) =>
    `The file contains more than ${MAX_RECORDS} records (MAX_RECORDS); split it into several files`,
  bytes: ({ MAX_JSON_BYTES }: ContentLimits) =>
    `The record is larger than ${formatBytes(MAX_JSON_BYTES)} (MAX_JSON_BYTES)`,
  values: () => `The record contains more than ${MAX_RECORD_VALUES} values`,
}

/** Syntax faults in words, by the names that the parser and the scanner have for them. */
const REASONS: Record<string, string> = {
  InvalidUtf8: 'Not valid UTF-8',
  TooDeep: `Nested deeper than ${MAX_NESTING} levels`,
  InvalidSymbol: 'Unexpected word',
  InvalidNumberFormat: 'Invalid number',
  PropertyNameExpected: 'Expected a property name in double quotes',
  ValueExpected: 'Expected a value',
  ColonExpected: 'Expected a colon',
  CommaExpected: 'Expected a comma',
  CloseBraceExpected: 'Expected a closing brace',
  CloseBracketExpected: 'Expected a closing bracket',
  EndOfFileExpected: 'Expected the end of the text',
  InvalidCommentToken: 'Comments are not allowed',
  UnexpectedEndOfString: 'Unterminated string',
  UnexpectedEndOfNumber: 'Unterminated number',
  InvalidUnicode: 'Invalid unicode escape',
  InvalidEscapeCharacter: 'Invalid escape',
  InvalidCharacter: 'Control characters must be escaped',
}
