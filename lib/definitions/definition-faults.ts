import type { z } from 'zod'
import type { FileDetail } from '@/lib/definitions/file-detail'
import { isObject, type Json } from '@/lib/values/json'
import { toStorableText } from '@/lib/values/storable'

/** The result of reading a definition: its normalised form, or every fault. */
export type Parsed<T> = { definition: T } | { faults: FileDetail[] }

/** A fault at a JSON pointer (RFC 6901); the value is shortened. It can be stored, whatever it is about. */
export function fault(pointer: string, message: string, value?: Json): FileDetail {
  const said = { pointer: toStorableText(pointer), message: toStorableText(message) }
  return value === undefined ? said : { ...said, value: shorten(value) }
}

/** `['properties', 0, 'a/b']` → `/properties/0/a~1b`. */
export const toPointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** Checks `json` against `schema`; messages say what is expected instead. */
export function check<T>(schema: z.ZodType<T>, json: Json): { data: T } | { faults: FileDetail[] } {
  const result = schema.safeParse(json, { error: (issue) => messageOf(issue) })
  if (result.success) return { data: result.data }
  const faults = result.error.issues.map(({ path, message }) =>
    fault(toPointer(path), message, at(json, path)),
  )
  return { faults }
}

/** `text`, `number`, `true or false`, …: what a JSON value is, in words. */
export function describeType(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return TYPE_NAMES[typeof value] ?? typeof value
}

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  int: 'a whole number',
  record: 'an object',
}

function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    const expected = TYPE_NAMES[issue.expected] ?? issue.expected
    if (issue.input === undefined) return `Is missing; it must be ${expected}`
    return `Must be ${expected}, not ${describeType(issue.input)}`
  }
  if (issue.code === 'invalid_value') return `Must be one of ${issue.values.map(String).join(', ')}`
  return undefined
}

function at(json: Json, path: readonly PropertyKey[]): Json | undefined {
  let value: Json | undefined = json
  for (const part of path) {
    if (Array.isArray(value)) value = value[Number(part)]
    else if (isObject(value) && Object.hasOwn(value, String(part))) value = value[String(part)]
    else return undefined
  }
  return value
}

const MAX_VALUE_LENGTH = 200

/** How JSON says what can't be stored. */
const UNSTORABLE = /\\u(0000|d[89a-f]..)/

/** The value itself if it is short, otherwise the beginning of its JSON; its JSON where it can't be stored. */
export function shorten(value: Json): Json {
  const text = JSON.stringify(value)
  if (text.length > MAX_VALUE_LENGTH) return cutShort(text)
  return UNSTORABLE.test(text) ? text : value
}

/** The part of a long JSON text that is shown. */
export const cutShort = (json: string): string =>
  toStorableText(`${json.slice(0, MAX_VALUE_LENGTH)}…`)
