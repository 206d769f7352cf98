import type { Json, JsonObject } from '@/lib/values/json'

/**
 * The expected result of a search, computed in memory from the wording of the contract alone. Shares
 * nothing with the compiler that it checks.
 */
type ModelKind = 'text' | 'number' | 'boolean' | 'date' | 'datetime' | 'time' | 'json' | 'array'
export type Model = {
  kinds: Record<string, ModelKind>
  key: string
  records: JsonObject[]
  /** The records that refer to one, by the names of their relations. */
  related?: Record<string, { of: Model; find: (record: JsonObject) => JsonObject[] }>
}
export type ModelTest = { field: string; operator: string; value?: Json }
export type ModelCondition =
  | ModelTest
  | { operator: string; filters: ModelCondition[] }
  | { field: string; operator: string; filters: ModelCondition[] }
export type ModelSort = { field: string; direction: 'asc' | 'desc' }

const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'accent' })

/** All matches in order. */
export function searchModel(
  model: Model,
  conditions: ModelCondition[],
  sort: ModelSort[],
): JsonObject[] {
  const found = model.records.filter((record) =>
    conditions.every((one) => holds(model, record, one)),
  )
  const last = sort.at(-1)?.direction ?? 'asc'
  return found.sort((a, b) => {
    for (const { field, direction } of sort) {
      const order = compareFields(model, field, direction, a, b)
      if (order !== 0) return order
    }
    const byKey = Number(a[model.key]) - Number(b[model.key])
    return last === 'asc' ? byKey : -byKey
  })
}

function holds(model: Model, record: JsonObject, condition: ModelCondition): boolean {
  if (!('filters' in condition)) return holdsTest(model, record, condition)
  const { operator, filters } = condition
  if ('field' in condition) return holdsRelated(model, record, condition)
  if (operator === 'or') return filters.some((one) => holds(model, record, one))
  const both = filters.every((one) => holds(model, record, one))
  return operator === 'not' ? !both : both
}

function holdsRelated(
  { related = {} }: Model,
  record: JsonObject,
  { field, operator, filters }: { field: string; operator: string; filters: ModelCondition[] },
): boolean {
  const relation = related[field]
  if (!relation) throw new Error(`There is no relation ${field}`)
  const { of, find } = relation
  const meets = (one: JsonObject) => filters.every((filter) => holds(of, one, filter))
  if (operator === 'every') return find(record).every(meets)
  return find(record).some(meets) === (operator === 'some')
}

function holdsTest(model: Model, record: JsonObject, test: ModelTest): boolean {
  const { field, value } = test
  const operator = test.operator.toLowerCase()
  const kind = model.kinds[field] ?? 'json'
  const stored = valueAt(record, field)
  const list = Array.isArray(value) ? value : [value ?? null]
  switch (operator) {
    case 'isnull':
      return stored === null
    case 'notnull':
      return stored !== null
    case 'eq':
    case 'in':
      return among(kind, stored, operator === 'eq' ? [value ?? null] : list)
    case 'ne':
    case 'nin':
      return !among(kind, stored, operator === 'ne' ? [value ?? null] : list)
    case 'between':
      return ranges(kind, stored, 'gte', list[0]) && ranges(kind, stored, 'lte', list[1])
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return ranges(kind, stored, operator, value)
    default:
      return matches(stored, operator, String(value), value ?? null)
  }
}

/** The value at a dotted path; null where there is none. */
function valueAt(record: JsonObject, field: string): Json {
  let value: Json | undefined = record
  for (const part of field.split('.')) {
    if (Array.isArray(value)) value = /^\d+$/.test(part) ? value[Number(part)] : undefined
    else if (typeof value === 'object' && value !== null) value = value[part]
    else return null
  }
  return value ?? null
}

const among = (kind: ModelKind, stored: Json, values: Json[]) =>
  values.some((value) => (value === null ? stored === null : equals(kind, stored, value)))

function equals(kind: ModelKind, stored: Json, value: Json): boolean {
  if (stored === null) return false
  if (kind === 'json' || kind === 'array') return equalsJson(stored, value)
  if (kind === 'text' || kind === 'boolean') return String(stored) === String(value)
  return scalar(kind, stored) === scalar(kind, value)
}

function equalsJson(stored: Json, value: Json): boolean {
  if (typeof stored === 'object') {
    const wanted = typeof value === 'string' ? parseOrNull(value) : value
    return typeof wanted === 'object' && jsonText(stored) === jsonText(wanted)
  }
  if (typeof value === 'object') return false
  if (typeof stored === 'number') return isNumberText(value) && stored === Number(value)
  return String(stored) === String(value)
}

/** Numbers and instants as numbers, times as texts that sort. */
function scalar(kind: ModelKind, value: Json): number | string {
  if (kind === 'number') return Number(value)
  if (kind === 'time') return `${value}:00`.slice(0, 8)
  const text = String(value)
  return Date.parse(text.includes('T') ? text : `${text.slice(0, 10)}T00:00:00Z`)
}

function ranges(kind: ModelKind, stored: Json, operator: string, value: Json | undefined): boolean {
  if (stored === null || value === undefined || value === null) return false
  const order = rangeOrder(kind, stored, value)
  if (order === null) return false
  if (operator === 'gt') return order > 0
  if (operator === 'gte') return order >= 0
  return operator === 'lt' ? order < 0 : order <= 0
}

function rangeOrder(kind: ModelKind, stored: Json, value: Json): number | null {
  if (kind === 'text') return natural.compare(String(stored), String(value))
  if (kind !== 'json') return compareScalars(scalar(kind, stored), scalar(kind, value))
  if (typeof stored === 'object') return null
  if (typeof stored === 'number' && isNumberText(value)) return stored - Number(value)
  return natural.compare(String(stored), String(value))
}

const compareScalars = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0)

function matches(stored: Json, operator: string, text: string, value: Json): boolean {
  if (stored === null) return false
  const name = operator.replace(/^i(?=like|contains|starts|ends)/, '')
  const fold = (one: string) => (name === operator ? one : one.toLowerCase())
  if (Array.isArray(stored))
    return stored.some((item) => matchesItem(item, name, text, value, fold))
  return matchesText(fold(jsonText(stored)), name, fold(text))
}

function matchesItem(
  item: Json,
  name: string,
  text: string,
  value: Json,
  fold: (text: string) => string,
): boolean {
  if (item === null) return false
  if (name !== 'contains') return matchesText(fold(jsonText(item)), name, fold(text))
  return fold('A') === 'A' ? equalsJson(item, value) : fold(jsonText(item)) === fold(text)
}

function matchesText(stored: string, name: string, text: string): boolean {
  if (name === 'contains') return stored.includes(text)
  if (name === 'starts') return stored.startsWith(text)
  if (name === 'ends') return stored.endsWith(text)
  if (!text.includes('%')) return stored.includes(text)
  const parts = text.split('%').map((part) => part.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(stored)
}

function compareFields(
  { kinds }: Model,
  field: string,
  direction: 'asc' | 'desc',
  left: JsonObject,
  right: JsonObject,
): number {
  const [a, b] = [valueAt(left, field), valueAt(right, field)]
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  const order = sortOrder(kinds[field] ?? 'json', a, b)
  return direction === 'asc' ? order : -order
}

function sortOrder(kind: ModelKind, a: Json, b: Json): number {
  if (kind === 'text') return natural.compare(String(a), String(b))
  if (kind === 'boolean') return Number(a) - Number(b)
  if (kind !== 'json' && kind !== 'array') return compareScalars(scalar(kind, a), scalar(kind, b))
  const numbers = [a, b].filter((one) => typeof one === 'number').length
  if (numbers === 2) return Number(a) - Number(b)
  if (numbers === 1) return typeof a === 'number' ? -1 : 1
  return natural.compare(jsonText(a), jsonText(b))
}

const isNumberText = (value: Json) =>
  typeof value === 'number' ||
  (typeof value === 'string' && /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(value))

function parseOrNull(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

/** Text without quotes; containers as PostgreSQL's jsonb writes them. */
const jsonText = (value: Json): string => (typeof value === 'string' ? value : canonical(value))

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const keys = Object.keys(value).sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  return `{${keys.map((key) => `${JSON.stringify(key)}: ${canonical(value[key] ?? null)}`).join(', ')}}`
}
