import {
  findOperator,
  LOGICAL,
  type LogicalName,
  OPERATOR_NAMES,
  OPERATORS,
  type OperatorName,
  operatorsOf,
  QUANTIFIERS,
} from '@/lib/definitions/operators'
import { isPlaceOperator } from '@/lib/definitions/place-operators'
import { MATCHES_TEXT } from '@/lib/definitions/text-search'
import type { Literal } from '@/lib/kinds/field-kind'
import { KINDS } from '@/lib/kinds/kinds'
import type { SearchTarget } from '@/lib/registry/target'
import { isObject, type Json, type JsonObject } from '@/lib/values/json'
import { unknownName } from '@/lib/values/unknown-name'
import { BadValue, convertValue } from './convert-value'
import { readPlace } from './places'
import type { RelatedStep } from './related-fields'
import type { FieldResolver } from './resolve-field'
import type { FieldRef, Resolved } from './resolved'
import type { SearchFaults } from './search-faults'
import type { ConditionInput } from './search-input'

const MAX_NESTING = 8
const MAX_CONDITIONS = 500

/** Resolves the list of conditions at `path`; adds every fault to `faults`. `reader`: as of a target. */
export function resolveConditions(
  conditions: ConditionInput[],
  path: string,
  fieldOf: FieldResolver,
  faults: SearchFaults,
  reader: SearchTarget['reader'],
): Resolved[] {
  let count = 0

  const resolveAll = (list: Json[], at: string, depth: number, fields: FieldResolver): Resolved[] =>
    // The rest of a longer list is ignored: the list is refused anyway.
    list
      .slice(0, MAX_CONDITIONS + 1)
      .flatMap((condition, index) => resolveOne(condition, `${at}.${index}`, depth, fields) ?? [])

  const resolveOne = (
    condition: Json,
    at: string,
    depth: number,
    fields: FieldResolver,
  ): Resolved | null => {
    if (++count === MAX_CONDITIONS + 1)
      faults.add(at, `A search has at most ${MAX_CONDITIONS} conditions`)
    if (count > MAX_CONDITIONS) return null
    if (!isObject(condition)) {
      faults.add(at, 'A condition is an object: { field, operator, value }')
      return null
    }
    const step = stepOf(condition, fields)
    if (step) return resolveRelated(condition, step, at, depth)
    const logic = logicOf(condition)
    if (isWords(condition)) return resolveWords(condition, at, fields, faults)
    if (!logic) return resolveTest(condition, at, fields, faults, reader)
    const filters = filtersOf(condition, at, depth, faults, LOGIC_KEYS)
    return filters && { type: logic, of: resolveAll(filters, `${at}.filters`, depth + 1, fields) }
  }

  /** One record meets all conditions of its `filters`; a condition that names a field of the records is the only one. */
  const resolveRelated = (
    condition: JsonObject,
    { quantifier, rows, rest, fieldOf: inner }: RelatedStep,
    at: string,
    depth: number,
  ): Resolved | null => {
    if (rest !== '') {
      const only = resolveOne({ ...condition, field: rest }, at, depth + 1, inner)
      return only && { type: 'related', quantifier, rows, of: [only] }
    }
    const isAny = condition.filters === undefined && quantifier !== 'every'
    if (isAny) faults.addUnknown(condition, RELATED_KEYS, at)
    const filters = isAny ? [] : filtersOf(condition, at, depth, faults, RELATED_KEYS)
    const of = filters && resolveAll(filters, `${at}.filters`, depth + 1, inner)
    return of && { type: 'related', quantifier, rows, of }
  }

  return resolveAll(conditions, path, 0, fieldOf)
}

const RELATED_KEYS = ['field', 'operator', 'filters']

/** `orders.some.total`, or `orders` with the operator `some`; null for any other condition. */
function stepOf({ field, operator }: JsonObject, fields: FieldResolver): RelatedStep | null {
  if (typeof field !== 'string') return null
  const word = typeof operator === 'string' ? operator.toLowerCase() : ''
  const isQuantified = QUANTIFIERS.some((quantifier) => quantifier === word)
  const step = fields.related(isQuantified ? `${field}.${word}` : field)
  const isStep = step && 'quantifier' in step && (step.rest !== '' || isQuantified)
  return isStep ? step : null
}

const isWords = ({ operator }: JsonObject) =>
  typeof operator === 'string' && operator.toLowerCase() === MATCHES_TEXT

const WORDS_KEYS = ['operator', 'value']

/** `{ operator: "matches-text", value }`: of all fields that text search looks in. */
function resolveWords(
  condition: JsonObject,
  at: string,
  { words }: FieldResolver,
  faults: SearchFaults,
): Resolved | null {
  faults.addUnknown(condition, WORDS_KEYS, at)
  const found = words?.(condition.value) ?? {
    fault: `"${MATCHES_TEXT}" looks in records that are searched, not in those beyond references`,
  }
  if (!('fault' in found)) return { type: 'words', words: found, of: [] }
  faults.add(words ? `${at}.value` : at, found.fault)
  return null
}

function logicOf({ operator }: JsonObject): LogicalName | null {
  const name = typeof operator === 'string' ? operator.toLowerCase() : ''
  return LOGICAL.find((logic) => logic === name) ?? null
}

/** The conditions below a logical one, or null when it is malformed. */
function filtersOf(
  condition: JsonObject,
  at: string,
  depth: number,
  faults: SearchFaults,
  keys: readonly string[],
): Json[] | null {
  const { filters } = condition
  faults.addUnknown(condition, keys, at)
  if (depth >= MAX_NESTING) {
    faults.add(at, `Conditions nest at most ${MAX_NESTING} levels deep`)
    return null
  }
  if (Array.isArray(filters) && filters.length > 0) return filters
  faults.add(`${at}.filters`, `"${condition.operator}" needs a list of at least one condition`)
  return null
}

const LOGIC_KEYS = ['operator', 'filters']

const MAX_LIST = 10_000
const KEYS = ['field', 'operator', 'value']

/** Resolves `{ field, operator, value }`, or adds what is wrong with it to `faults`. `reader`: as of a target. */
function resolveTest(
  condition: JsonObject,
  at: string,
  fieldOf: FieldResolver,
  faults: SearchFaults,
  reader: SearchTarget['reader'],
): Resolved | null {
  faults.addUnknown(condition, KEYS, at)
  const field = readField(condition.field, `${at}.field`, fieldOf, faults)
  const operator = readOperator(condition.operator, `${at}.operator`, faults)
  if (!field || !operator) return null
  if (!operatorsOf(field.kind).includes(operator)) {
    const known = operatorsOf(field.kind).join(', ')
    const problem = `"${operator}" does not suit "${field.name}", which is ${KINDS[field.kind].words('')}`
    faults.add(`${at}.operator`, `${problem}; use one of ${known}`)
    return null
  }
  try {
    const convert = (value: Json) => convertValue(value, field, operator, reader)
    return READ[OPERATORS[operator].arity](field, operator, condition.value, convert)
  } catch (error) {
    if (!(error instanceof BadValue)) throw error
    faults.add(`${at}.value`, error.message)
    return null
  }
}

function readField(
  name: Json | undefined,
  at: string,
  fieldOf: FieldResolver,
  faults: SearchFaults,
): FieldRef | null {
  const found = typeof name === 'string' ? fieldOf(name) : { fault: 'Name a field here' }
  if (!('fault' in found)) return found
  faults.add(at, found.fault)
  return null
}

function readOperator(
  written: Json | undefined,
  at: string,
  faults: SearchFaults,
): OperatorName | null {
  const operator = typeof written === 'string' ? findOperator(written) : null
  if (operator) return operator
  const known = [...OPERATOR_NAMES, ...LOGICAL, MATCHES_TEXT]
  faults.add(
    at,
    typeof written === 'string'
      ? unknownName('operator', written, known)
      : `Name an operator here: ${known.join(', ')}`,
  )
  return null
}

type Convert = (value: Json) => Literal
type ReadTest = (
  field: FieldRef,
  operator: OperatorName,
  value: Json | undefined,
  convert: Convert,
) => Resolved

const READ: Record<(typeof OPERATORS)[OperatorName]['arity'], ReadTest> = {
  none: (field, operator, value) => {
    if (value !== undefined && value !== null) throw new BadValue(`"${operator}" takes no value`)
    return test(field, operator, [])
  },
  one: (field, operator, value, convert) => {
    if (value === undefined) throw new BadValue(`"${operator}" needs a value`)
    if (value !== null) return test(field, operator, [convert(value)])
    if (operator === 'eq') return test(field, 'isnull', [])
    if (operator === 'ne') return test(field, 'notnull', [])
    throw new BadValue(`"${operator}" takes no null; use isnull or notnull`)
  },
  two: (field, operator, value, convert) => {
    if (!Array.isArray(value) || value.length !== 2)
      throw new BadValue(`"${operator}" needs a list of two values`)
    if (value.includes(null)) throw new BadValue(`"${operator}" takes no null`)
    return test(field, operator, value.map(convert))
  },
  place: (field, operator, value) =>
    test(field, operator, isPlaceOperator(operator) ? readPlace(field, operator, value) : []),
  list: (field, operator, value, convert) => {
    if (value === undefined) throw new BadValue(`"${operator}" needs a list of values`)
    const list = Array.isArray(value) ? value : [value]
    if (list.length > MAX_LIST)
      throw new BadValue(`"${operator}" takes at most ${MAX_LIST} values, not ${list.length}`)
    const sent = list.filter((item) => item !== null)
    return test(field, operator, sent.map(convert), sent.length < list.length)
  },
}

const test = (
  field: FieldRef,
  operator: OperatorName,
  values: Literal[],
  orNull = false,
): Resolved => ({ type: 'test', field, operator, values, orNull })
