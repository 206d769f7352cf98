import type { Json, JsonObject } from '@/lib/values/json'
import { MAX_NESTING } from './scan'
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipString,
} from './tokens'

/** Containers of more characters than this are built from pieces of about this size. */
const PIECE_CHARS = 64 * 1024

/** Parses `[from, to)` of the text within the given brackets. */
type ParsePiece = (open: string, from: number, to: number, close: string) => Json

/**
 * The value of a text that is known to be JSON, built from pieces that `parsePiece` parses; yields
 * between them.
 */
export function* buildJson(text: string, parsePiece: ParsePiece): Generator<undefined, Json> {
  if (text.length <= PIECE_CHARS) return parsePiece('', 0, text.length, '')
  const builder = new Builder(text, parsePiece)
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = skipString(text, at)
      continue
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) builder.open(at)
    else if (code === COMMA ? builder.comma(at) : isClosing(code) && builder.close(at)) yield
    at++
  }
  return builder.whole ?? parsePiece('', 0, text.length, '')
}

const isClosing = (code: number) => code === CLOSE_BRACE || code === CLOSE_BRACKET

/** An open container: the positions of its start, its first unparsed item and its current item. */
class Builder {
  whole: Json | undefined
  #depth = -1
  readonly #openAt = new Int32Array(MAX_NESTING)
  readonly #restAt = new Int32Array(MAX_NESTING)
  readonly #itemAt = new Int32Array(MAX_NESTING)
  /** The parsed items; undefined while there are none. */
  readonly #parsed: (Json[] | JsonObject | undefined)[] = []

  constructor(
    readonly text: string,
    readonly parsePiece: ParsePiece,
  ) {}

  open(at: number): void {
    this.#depth++
    this.#openAt[this.#depth] = at
    this.#restAt[this.#depth] = at + 1
    this.#itemAt[this.#depth] = at + 1
    this.#parsed[this.#depth] = undefined
  }

  /** Whether a piece was parsed. */
  comma(at: number): boolean {
    const depth = this.#depth
    const isPiece = at - this.#at(this.#restAt) > PIECE_CHARS
    if (isPiece) this.#take(at)
    this.#itemAt[depth] = at + 1
    // After an item that was added as a whole, nothing is left before the comma.
    if (isPiece || this.#at(this.#restAt) === at) this.#restAt[depth] = at + 1
    return isPiece
  }

  /** Whether a piece was parsed. */
  close(at: number): boolean {
    const isLarge = this.#parsed[this.#depth] !== undefined
    if (!isLarge && at - this.#at(this.#openAt) <= PIECE_CHARS) {
      this.#depth--
      return false
    }
    this.#take(at)
    const value = this.#parsed[this.#depth] ?? null
    const open = this.#at(this.#openAt)
    this.#depth--
    if (this.#depth < 0) this.whole = value
    else this.#add(value, open, at + 1)
    return true
  }

  /** Adds a complete container as an item of its parent. */
  #add(value: Json, open: number, end: number): void {
    const itemAt = this.#at(this.#itemAt)
    if (itemAt > this.#at(this.#restAt)) this.#take(itemAt - 1)
    const target = this.#target()
    if (Array.isArray(target)) target.push(value)
    else {
      const colon = this.text.lastIndexOf(':', open)
      const [key = ''] = this.parsePiece('[', itemAt, colon, ']') as string[]
      setOwn(target, key, value)
    }
    this.#restAt[this.#depth] = this.#skipSpace(end)
  }

  /** Parses the items from the first unparsed one to `end`. */
  #take(end: number): void {
    const from = this.#at(this.#restAt)
    const target = this.#target()
    if (from >= end) return
    if (Array.isArray(target)) {
      for (const item of this.parsePiece('[', from, end, ']') as Json[]) target.push(item)
    } else {
      const items = this.parsePiece('{', from, end, '}') as JsonObject
      for (const key of Object.keys(items)) setOwn(target, key, items[key] ?? null)
    }
  }

  #target(): Json[] | JsonObject {
    const isObject = this.text.charCodeAt(this.#at(this.#openAt)) === OPEN_BRACE
    const target = this.#parsed[this.#depth] ?? (isObject ? {} : [])
    this.#parsed[this.#depth] = target
    return target
  }

  #skipSpace(from: number): number {
    let at = from
    while (this.text.charCodeAt(at) <= 0x20) at++
    return at
  }

  #at(places: Int32Array): number {
    return places[this.#depth] ?? 0
  }
}

// As `JSON.parse` does: `__proto__` is a name like any other.
function setOwn(target: JsonObject, key: string, value: Json): void {
  if (key !== '__proto__') target[key] = value
  else
    Object.defineProperty(target, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    })
}
