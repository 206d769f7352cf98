import { findOperator, OPERATORS } from '@/lib/definitions/operators'
import type { ConditionInput } from '@/lib/search/search-input'
import type { Json } from '@/lib/values/json'
import { TextScanner } from './text-scanner'

/**
 * Parses `field:operator:value,field:operator:value` into the conditions of a search object. Only the
 * first two colons of a condition split. A value with a comma (in lists, a `|`) is put in double quotes,
 * with backslash escapes inside; unquoted `null` is null. Lists are `a|b`; `isnull` takes no value.
 * Operators are looked up only for their arity: the resolver refuses unknown ones.
 * Throws `invalid_input` with the position (from 0) of a fault.
 */
export function parseFilterText(text: string): ConditionInput[] {
  const scanner = new TextScanner('filter', text)
  const conditions: ConditionInput[] = []
  if (text.trim() === '') return conditions
  do conditions.push(readCondition(scanner))
  while (scanner.skip(','))
  if (!scanner.atEnd) throw scanner.fault(`unexpected text ${quoteRest(scanner)}`)
  return conditions
}

function readCondition(scanner: TextScanner): ConditionInput {
  scanner.skipSpaces()
  const start = scanner.position
  const { text: field } = scanner.read(':,')
  if (field === '') throw scanner.fault('expected a field name', start)
  if (!scanner.skip(':')) throw scanner.fault(`expected ":" and an operator after "${field}"`)
  const operatorAt = scanner.position
  const operator = scanner.read(':,').text
  if (operator === '') throw scanner.fault('expected an operator', operatorAt)
  const name = findOperator(operator)
  const arity = name ? OPERATORS[name].arity : 'one'
  if (arity === 'none') return readNothing(scanner, field, operator)
  if (!scanner.skip(':')) {
    if (!name) return { field, operator }
    throw scanner.fault(`expected ":" and a value after "${operator}"`)
  }
  return { field, operator, value: arity === 'one' ? readValue(scanner) : readList(scanner) }
}

function readNothing(scanner: TextScanner, field: string, operator: string): ConditionInput {
  if (scanner.peek() === ':') throw scanner.fault(`"${operator}" takes no value`)
  return { field, operator }
}

function readValue(scanner: TextScanner): Json {
  return toValue(scanner.read(','))
}

function readList(scanner: TextScanner): Json[] {
  const values: Json[] = []
  do values.push(toValue(scanner.read(',|')))
  while (scanner.skip('|'))
  return values
}

// In quotes, `null` is a text.
const toValue = ({ text, quoted }: { text: string; quoted: boolean }): Json =>
  !quoted && text === 'null' ? null : text

const quoteRest = ({ text, position }: TextScanner) =>
  JSON.stringify(text.slice(position, position + 20))
