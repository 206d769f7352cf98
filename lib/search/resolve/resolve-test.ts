import {
  findOperator,
  LOGICAL,
  OPERATOR_NAMES,
  OPERATORS,
  type OperatorName,
  operatorsOf,
} from '@/lib/definitions/operators'
import { KINDS } from '@/lib/kinds/kinds'
import type { Literal } from '@/lib/kinds/literal'
import type { FieldResolver } from '@/lib/search/resolve-field'
import type { FieldRef, Resolved } from '@/lib/search/resolved'
import type { Json, JsonObject } from '@/lib/values/json'
import { unknownName } from '@/lib/values/unknown-name'
import { BadValue, convertValue } from './convert-value'
import type { SearchFaults } from './search-faults'

const MAX_LIST = 10_000
const KEYS = ['field', 'operator', 'value']

/** Resolves `{ field, operator, value }`, or adds what is wrong with it to `faults`. `reader`: as of a target. */
export function resolveTest(
  condition: JsonObject,
  at: string,
  fieldOf: FieldResolver,
  faults: SearchFaults,
  reader: string | null,
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
  const known = [...OPERATOR_NAMES, ...LOGICAL]
  faults.add(
    at,
    typeof written === 'string'
      ? unknownName('operator', written, known)
      : `Name an operator here: ${known.join(', ')}`,
  )
  return null
}

type Convert = (value: Json) => Literal
type Read = (
  field: FieldRef,
  operator: OperatorName,
  value: Json | undefined,
  convert: Convert,
) => Resolved

const READ: Record<(typeof OPERATORS)[OperatorName]['arity'], Read> = {
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
  list: (field, operator, value, convert) => {
    if (value === undefined) throw new BadValue(`"${operator}" needs a list of values`)
    const list = Array.isArray(value) ? value : [value]
    if (list.length > MAX_LIST)
      throw new BadValue(`"${operator}" takes at most ${MAX_LIST} values, not ${list.length}`)
    const given = list.filter((item) => item !== null)
    return test(field, operator, given.map(convert), given.length < list.length)
  },
}

const test = (
  field: FieldRef,
  operator: OperatorName,
  values: Literal[],
  orNull = false,
): Resolved => ({ type: 'test', field, operator, values, orNull })
