import type { z } from 'zod'
import type { faultGroup, fileDetail } from '@/lib/archives/fault-contract'
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
    fault(toPointer(path), message, valueAt(json, path)),
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

/** The part of JSON at a path; undefined: there is none. */
export function valueAt(json: Json, path: readonly PropertyKey[]): Json | undefined {
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

/** A fault and where it is: `index` of the record, JSON `pointer` in it, or `line` and `column`. */
export type FileDetail = z.infer<typeof fileDetail>

/** What a record breaks. `empty`: records may not be stored at all; `value`: anything else. */
export const FAULT_RULES = [
  'type',
  'enum',
  'min',
  'max',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'required',
  'unique',
  'key',
  'reference',
  'undeclared',
  'computed',
  'size',
  'conflict',
  'empty',
  'value',
] as const
export type FaultRule = (typeof FAULT_RULES)[number]

/** Conditions of the search object, as in an address of the console. */
export type FaultFilter = { field: string; operator: string; value?: Json }[]

/** The faults of a file by one rule in one field, and with one value where they have few. */
export type FaultGroup = z.infer<typeof faultGroup>

/** Most values that get a group each; with more of them, one group has all. */
export const MAX_VALUES = 10
/** Most keys, indexes or examples of a group. */
export const MAX_SHOWN = 10
/** Most allowed values that a group names. */
export const MAX_ALLOWED = 100

export type DefinitionVerdict = 'Invalid definition' | 'Incompatible change' | 'Missing dependency'

/** Why a definition can't be installed, with every fault found. Nothing has been applied. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError'

  constructor(
    readonly verdict: DefinitionVerdict,
    readonly details: FileDetail[],
    /** The number of faults, when `details` holds only the first of them. */
    readonly count = details.length,
    /** Of stored records, by rule. */
    readonly groups: FaultGroup[] = [],
  ) {
    super(`${verdict}: ${details.map(({ message }) => message).join('; ')}`)
  }
}
