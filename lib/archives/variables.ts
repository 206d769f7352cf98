import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import { FileFailure } from './plugin-file'

/** The objects that `${config.x}` and `${manifest.x}` read `x` from: the first that has it wins. */
export type Variables = { config: JsonObject[]; manifest: JsonObject[] }

const PLACEHOLDER = /\$\{(config|manifest)\.([\w.-]+)\}/g

/** Bytes that variables may still add; each replacement reduces them. */
export type Room = { bytes: number }

/**
 * Replaces placeholders inside every string value of `value` (not in keys), once: replacements are
 * not searched again. Unknown names stay as they are; objects are inserted as JSON text. Throws a
 * `FileFailure` when variables add more than the limit.
 */
export function substitute<T extends Json>(value: T, variables: Variables, room: Room): T {
  return replaceIn(value, variables, room) as T
}

function replaceIn(value: Json, variables: Variables, room: Room): Json {
  if (typeof value === 'string')
    return value.includes('${') ? replaceText(value, variables, room) : value
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, variables, room))
  if (!isObject(value)) return value
  // fromEntries defines own keys, so that "__proto__" stays data.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaceIn(item, variables, room)]),
  )
}

const replaceText = (text: string, variables: Variables, room: Room) =>
  text.replace(PLACEHOLDER, (literal, scope: keyof Variables, name: string) => {
    const found = variables[scope]
      .map((source) => lookUp(source, name))
      .find((value) => value !== undefined)
    if (found === undefined) return literal
    const replacement = typeof found === 'string' ? found : JSON.stringify(found)
    room.bytes -= Buffer.byteLength(replacement)
    if (room.bytes < 0) throw new FileFailure('Invalid record', [{ message: TOO_MUCH }])
    return replacement
  })

const TOO_MUCH = 'Variables make it too large; use shorter ones, or fewer of them'

/** `a.b` is the key "a.b", or otherwise `b` inside `a`. */
function lookUp(source: JsonObject, name: string): Json | undefined {
  if (Object.hasOwn(source, name)) return source[name]
  let value: Json | undefined = source
  for (const key of name.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}

/** The most bytes that variables may add to all files of an archive together. */
export class ArchiveRoom {
  private readonly used = new Map<string, number>()

  constructor(private left: number) {}

  /** Starts a file; releases what an earlier reading of it used. */
  begin(path: string): void {
    this.left += this.used.get(path) ?? 0
    this.used.set(path, 0)
  }

  /** Runs `work`, which may use up to `most` bytes of what is left for the file. */
  take<T>(path: string, most: number, work: (room: Room) => T): T {
    const bytes = Math.min(most, this.left)
    const room = { bytes }
    try {
      return work(room)
    } finally {
      const taken = bytes - room.bytes
      this.left -= taken
      this.used.set(path, (this.used.get(path) ?? 0) + taken)
    }
  }
}
