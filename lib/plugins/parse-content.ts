import { setImmediate as nextTurn } from 'node:timers/promises'
import { isObject, type Json, type JsonObject, parseJson } from '@/lib/json'

/** A larger file is parsed in slices of about this size, with other requests served in between. */
const SLICE_BYTES = 1024 * 1024

const [QUOTE, BACKSLASH, COMMA, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [
  ...'"\\,{}[]',
].map((char) => char.charCodeAt(0))

/**
 * The records of a content file: one object, or an array of objects; numbers that a double would
 * round as marked text (see `literalOf`) when asked for `exactly`. Throws `JsonSyntaxError`, or
 * `NotRecordsError` naming the first item that is no object.
 */
export async function parseContent(
  bytes: Uint8Array,
  options: { exactly?: boolean } = {},
): Promise<JsonObject[]> {
  const sliced = bytes.length > SLICE_BYTES ? await parseInSlices(bytes, options) : null
  const value = sliced ?? parseJson(bytes, options)
  const items = Array.isArray(value) ? value : [value]
  const odd = items.findIndex((item) => !isObject(item))
  if (odd >= 0) throw new NotRecordsError(odd, Array.isArray(value))
  return items as JsonObject[]
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
        : 'The file must hold an object or an array of objects',
    )
  }
}

/** Parses a large top-level array piece by piece; null when it is none, or has a fault to be placed. */
async function parseInSlices(
  bytes: Uint8Array,
  options: { exactly?: boolean },
): Promise<Json[] | null> {
  const start = bytes.subarray(0, 3).join() === '239,187,191' ? 3 : 0
  const open = bytes.findIndex((byte, at) => at >= start && byte > 0x20)
  if (bytes[open] !== OPEN_BRACKET) return null
  const items: Json[] = []
  for (let from = open + 1; ; ) {
    const end = endOfSlice(bytes, from)
    if (end === null) return null
    const slice = parseSlice(bytes.subarray(from, end), options)
    if (!slice) return null
    for (const item of slice) items.push(item)
    if (bytes[end] === CLOSE_BRACKET) return isBlank(bytes.subarray(end + 1)) ? items : null
    from = end + 1
    await nextTurn()
  }
}

function parseSlice(bytes: Uint8Array, options: { exactly?: boolean }): Json[] | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const items = parseJson(`[${text}]`, options) as Json[]
    // The end of `[1,]` would be an empty slice here: let the whole parse name the fault.
    return items.length > 0 ? items : null
  } catch {
    return null // the caller parses the whole text, which finds the place of the fault
  }
}

/** Index of the first comma between items past SLICE_BYTES, or of the array's closing bracket. */
function endOfSlice(bytes: Uint8Array, from: number): number | null {
  let depth = 0
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = endOfString(bytes, at)
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
    else if (byte === CLOSE_BRACE) depth--
    else if (byte === CLOSE_BRACKET && --depth < 0) return at
    else if (byte === COMMA && depth === 0 && at - from >= SLICE_BYTES) return at
  }
  return null
}

function endOfString(bytes: Uint8Array, open: number): number {
  for (let at = open + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++
    else if (bytes[at] === QUOTE) return at
  }
  return bytes.length
}

const isBlank = (bytes: Uint8Array) => bytes.every((byte) => byte <= 0x20)
