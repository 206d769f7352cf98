import {
  type FaultGroup,
  type FaultRule,
  type FileDetail,
  MAX_ALLOWED,
  MAX_SHOWN,
  MAX_VALUES,
} from '@/lib/definitions/definition-faults'
import { AppError, type Validation } from '@/lib/errors'
import { type Json, literalOf, stringifyExactly } from '@/lib/values/json'
import { isStorableText, toStorableText } from '@/lib/values/storable'
import { type FieldNaming, nameIn } from './field-naming'

/** Faults of records: the first `MAX_DETAILS`, the number of all, and all by rule. */
export type RecordFaults = {
  details: FileDetail[]
  count: number
  groups: FaultGroups
  /** The number of records that have any. */
  records: number
  /** Index of the last of them; records are checked in order. */
  last: number | undefined
  /** Called with every fault, also those beyond the first `MAX_DETAILS`. */
  onFault?: (index: number | undefined, detail: FileDetail) => void
}

/** `refused`: by a rule of the database that can't be checked record by record. */
export type ConflictKind = 'duplicate' | 'unique' | 'reference' | 'refused'

/** Why records can't be written beside those that are stored; `kind` is that of the first. */
export type Conflicts = RecordFaults & { kind: ConflictKind | null }

export const MAX_DETAILS = 100

export const noFaults = (): RecordFaults => ({
  details: [],
  count: 0,
  groups: new FaultGroups(),
  records: 0,
  last: undefined,
})

/** `detail` is only called when its result is used. */
export function addFault(faults: RecordFaults, about: AboutFault, detail: () => FileDetail): void {
  const isKept = faults.count++ < MAX_DETAILS
  const made = isKept || faults.onFault ? detail() : null
  if (isKept && made) faults.details.push(made)
  if (made) faults.onFault?.(about.index, made)
  faults.groups.add(about)
  if (faults.records === 0 || about.index !== faults.last) faults.records++
  faults.last = about.index
}

/** The same of a fault whose group says what it says itself. */
export function addPlainFault(
  faults: RecordFaults,
  rule: FaultRule,
  field: string | null,
  detail: FileDetail,
): void {
  const { index, message } = detail
  addFault(faults, { rule, field, index, message: () => message }, () => detail)
}

/** RFC 6901 pointer to a field of a record, printable even if the name is not. */
export const pointerTo = (name: string): string =>
  `/${showableText(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** The name of the field in such a pointer. */
export const fieldOf = (pointer = ''): string =>
  pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')

const MAX_SHOWN_CHARS = 200

/** A value by which faults are counted: numbers that a double would round as their digits. */
export const shownIn = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' && value.length <= MAX_SHOWN_CHARS ? showable(value) : value

/**
 * A value that can be shown with a fault: short and storable. Marked numbers (see `literalOf`)
 * and values that contain them become text.
 */
export function showable(value: Json): Json {
  if (typeof value === 'string') return showableText(literalOf(value) ?? value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value !== 'object' || value === null) return value
  if (sizeOf(value, MAX_SHOWN_CHARS) > MAX_SHOWN_CHARS) return Array.isArray(value) ? '[…]' : '{…}'
  const text = stringifyExactly(value)
  const storable = isStorableText(text) && !/\\u(0000|d[89a-f]..)/.test(text)
  const isShown = storable && text.length <= MAX_SHOWN_CHARS && text === JSON.stringify(value)
  return isShown ? JSON.parse(text) : showableText(text)
}

function showableText(text: string): string {
  const cut = text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS - 1)}…` : text
  return toStorableText(cut)
}

/** Counts values until `limit` is exceeded, so that size and depth are bounded. */
function sizeOf(value: Json, limit: number): number {
  const waiting: Json[] = [value]
  let size = 0
  for (let next = waiting.pop(); next !== undefined && size <= limit; next = waiting.pop()) {
    size++
    if (typeof next !== 'object' || next === null) continue
    const inner = Object.values(next)
    size += inner.length
    if (size <= limit) waiting.push(...inner)
  }
  return size
}

/** One fault of a record of a file; the functions are only called for the first of a group. */
export type AboutFault = {
  rule: FaultRule
  field: string | null
  index: number | undefined
  value?: Json | undefined
  allowed?: () => Json | undefined
  message: () => string
}

/** Most pairs of a rule and a field; further fields of a rule are counted together. */
const MAX_RULES = 50
const MAX_VALUE_CHARS = 120

type Some = { total: number; indexes: number[] }
type Group = Some & {
  rule: FaultRule
  field: string | null
  allowed: Json | undefined
  message: string
  /** By value; null once there are too many, or one that is too large to be compared. */
  values: Map<Json | undefined, Some> | null
  examples: Json[]
}

/** Counts faults by rule, field and value, in little memory however many there are. */
class FaultGroups {
  private readonly groups = new Map<string, Group>()

  add(about: AboutFault): void {
    const group = this.groupOf(about)
    count(group, about.index)
    const { value } = about
    if (value !== undefined && !isComparable(value)) group.values = null
    else addExample(group, value)
    if (group.values === null) return
    const same = group.values.get(value) ?? { total: 0, indexes: [] }
    group.values.set(value, same)
    count(same, about.index)
    if (group.values.size > MAX_VALUES) group.values = null
  }

  /** The largest first; their totals add up to the number of faults. */
  list(): FaultGroup[] {
    return [...this.groups.values()].flatMap(toGroups).sort((a, b) => b.total - a.total)
  }

  private groupOf({ rule, field, allowed, message }: AboutFault): Group {
    const known = this.groups.get(`${rule} ${field ?? ''}`)
    if (known) return known
    const own = this.groups.size < MAX_RULES
    const name = own ? `${rule} ${field ?? ''}` : rule
    const found = this.groups.get(name) ?? {
      rule,
      field: own ? field : null,
      allowed: own ? limited(allowed?.()) : undefined,
      message: message(),
      total: 0,
      indexes: [],
      values: own ? new Map() : null,
      examples: [],
    }
    this.groups.set(name, found)
    return found
  }
}

function count(some: Some, index: number | undefined): void {
  some.total++
  if (index === undefined || some.indexes.length >= MAX_SHOWN || some.indexes.at(-1) === index)
    return
  some.indexes.push(index)
}

function addExample({ examples }: Group, value: Json | undefined): void {
  if (value === undefined || examples.length >= MAX_SHOWN || examples.includes(value)) return
  examples.push(value)
}

const isComparable = (value: Json): boolean =>
  typeof value === 'string' ? value.length <= MAX_VALUE_CHARS : typeof value !== 'object' || !value

/** Of a long list only the beginning. */
const limited = (allowed: Json | undefined): Json | undefined =>
  Array.isArray(allowed) ? allowed.slice(0, MAX_ALLOWED) : allowed

function toGroups({ values, total, indexes, examples, allowed, ...group }: Group): FaultGroup[] {
  const unplaced = { entity: null, keys: [], filter: null }
  const base = { ...group, ...unplaced, ...(allowed === undefined ? {} : { allowed }) }
  if (values === null)
    return [{ ...base, total, indexes, ...(examples.length > 0 ? { examples } : {}) }]
  return [...values].map(([value, some]) => ({
    ...base,
    ...some,
    ...(value === undefined ? {} : { value }),
  }))
}

/** Throws `invalid_input` that names every faulty field of every record (the first 100). */
export function requireNoFaults(faults: FileDetail[], count: number, naming: FieldNaming): void {
  if (count > 0) throw failure('invalid_input', faults, count, naming)
}

/** Throws `conflict`, or `invalid_input` for references to nothing, naming fields and values. */
export function requireNoConflicts(
  { kind, details, count }: Pick<Conflicts, 'kind' | 'details' | 'count'>,
  naming: FieldNaming,
): void {
  if (count === 0) return
  throw failure(kind === 'reference' ? 'invalid_input' : 'conflict', details, count, naming)
}

function failure(
  code: 'invalid_input' | 'conflict',
  details: FileDetail[],
  count: number,
  naming: FieldNaming,
): AppError {
  const validations = details.map((detail) => toValidation(detail, naming))
  const first = validations[0] ?? { field: '', error: 'A record is not valid' }
  const more = count > 1 ? ` (and ${count - 1} more)` : ''
  const isSentence = code === 'conflict' && naming === 'single'
  const place = first.field && !isSentence ? `${first.field}: ` : ''
  const meta = count > MAX_DETAILS ? { validationCount: count } : {}
  return new AppError(code, `${place}${first.error}${more}`, { validations, meta })
}

const toValidation = (
  { index, pointer = '', message }: FileDetail,
  naming: FieldNaming,
): Validation => ({
  field: nameIn(naming, index, { pointer, name: fieldOf(pointer) }),
  error: message,
})
