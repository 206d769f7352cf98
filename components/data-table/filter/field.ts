import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import { findOperator } from '@/lib/definitions/operators'
import { isTextKind, type Kind } from '@/lib/kinds/kind'
import type { ColumnDescription } from '@/lib/tables/column-contract'
import type { ExactJson } from '@/lib/values/exact-json'
import { formatValue } from '../format-value'
import type { Beyond } from './beyond'
import { type Condition, type FieldCondition, isGroup, isWords } from './condition'
import { type FoundField, findField, isOfRelated } from './find-field'
import { labelOf } from './operators'
import { placeWords } from './place-words'
import { testedName } from './relation'
import { spanOf, spanText } from './span'
import { relativeWords } from './time-words'
import { withinOf } from './within'

/** A field that can be filtered by. */
export type FilterField = {
  name: string
  label?: string
  kind: Kind
  /** What the field refers to; its control is chosen by that. */
  reference?: ColumnDescription['rules']['reference']
  /** How people see its values. */
  display?: ColumnDescription['display']
  /** Names the record: its digits are not grouped. */
  key?: boolean
  enum?: readonly ExactJson[]
  /** The way to the entity that it refers to, where that may be read. */
  beyond?: Beyond
  /** It stands for the records that refer to one. */
  relation?: Beyond
  /** A condition of this name is about records of that entity, whose fields it may go on with. */
  related?: { entity: string; fields?: readonly FilterField[] }
  /** Which fields of the other entity it may go on with. */
  suits?: (field: FilterField) => boolean
  /** A field of another entity, of whose record the dotted name tells the way. */
  isBeyond?: boolean
  /** What records are called that it is compared with, by their ids. */
  titles?: ReadonlyMap<string, string>
  /** It holds a user: the id, which `$me` stands for, or the email address. */
  user?: 'id' | 'email'
  /** What people read in place of a value of `enum`. */
  words?: (value: string) => string
}

/** A condition in words: `Status is none of DISABLED`; times in `timeZone`, else in the reader's. */
export function describe(
  condition: Condition,
  fields: readonly FilterField[],
  timeZone?: string,
): string {
  const path = withinOf(condition)
  if (path) return `${describe({ ...path, operator: 'eq', value: path.path }, fields)} or below it`
  if (isGroup(condition)) {
    const parts = condition.filters.map((each) => describe(each, fields, timeZone))
    if (condition.operator === 'not') return `not (${parts.join(' and ')})`
    return parts.length > 1 ? `(${parts.join(` ${condition.operator} `)})` : (parts[0] ?? '')
  }
  if (isWords(condition)) return `Words “${condition.value}”`
  const found = findField(fields, testedName(condition))
  const name = found ? nameOf(found) : condition.field
  if (found && isOfRelated(found))
    return [name, ...relatedWords(condition, found.field, timeZone)].join(' ')
  const span = found && isInTime(found.kind) ? spanOf(condition) : null
  if (span) return `${name} ${spanText(span)}`
  const words = [name, labelOf(condition.operator, found?.kind)]
  const compared = found && { ...found.field, kind: found.kind }
  const say = (value: unknown) => describeValue(value, compared ?? undefined, timeZone)
  const place = placeWords(condition)
  if (place) return `${name} ${place}`
  const isRange = findOperator(condition.operator) === 'between' && Array.isArray(condition.value)
  const value = isRange
    ? (condition.value as unknown[]).map(say).join(' and ')
    : say(condition.value)
  return [...words, value].filter(Boolean).join(' ')
}

/** `with total is greater than 5`, of the records that refer to one. */
const relatedWords = (
  { filters = [] }: FieldCondition,
  { related }: FilterField,
  timeZone?: string,
): string[] => {
  const words = filters.map((each) => describe(each, related?.fields ?? [], timeZone))
  return words.length > 0 ? [`with ${words.join(' and ')}`] : []
}

const nameOf = ({ field, path }: FoundField) =>
  [field.label ?? field.name, ...(path ? [path] : [])].join(' › ')

function describeValue(value: unknown, field?: FilterField, timeZone?: string): string {
  if (value === undefined) return ''
  if (value === '') return '“”'
  if (value === null) return 'empty'
  const known = field ?? { name: '', kind: 'text' }
  if (typeof value === 'string' && known.words) return known.words(value)
  if (!Array.isArray(value)) {
    const text = dynamicWords(value, known.kind) ?? formatValue(value, known, { timeZone })
    const title = known.titles?.get(String(value))
    return title === undefined ? text : `${title} (${text})`
  }
  const shown = value.slice(0, SHOWN_VALUES).map((each) => describeValue(each, field, timeZone))
  const more = value.length - SHOWN_VALUES
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

const SHOWN_VALUES = 3

/** What is filled in when the search runs, in words: `7 days ago`, `me`; null for any other value. */
function dynamicWords(value: unknown, kind: Kind): string | null {
  if (typeof value !== 'string') return null
  if (isTextKind(kind) && value === ME) return 'me'
  return isInTime(kind) ? relativeWords(value, kind) : null
}

/** Stands for the id of the user who asks. */
export const ME = '$me'

/** Whether a value is one of whoever asks: `$me`, or in policies `$me.profile.branch`. */
export const isOfActor = (value: unknown): boolean => /^\$me\b/.test(String(value))

export const isInTime = (kind: Kind): boolean => CONSOLE_KINDS[kind].moment !== null
