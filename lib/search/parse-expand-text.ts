import { unknownName } from '@/lib/values/unknown-name'
import { readAll, readCondition, readName, readSort, TextScanner } from './parse-search-text'
import { DEFAULT_LIMIT, type ExpandInput, MAX_LIMIT } from './search-input'

/**
 * Parses `region,orders(fields:number|total,sort:date:desc|number,limit:5,filter:total:gt:9),orders.items`; throws `invalid_input` with the
 * position of a fault. Each `filter` is a condition, and all of them must hold.
 */
export const parseExpandText = (text: string): (string | ExpandInput)[] =>
  readAll(new TextScanner('expand', text), (scanner) => {
    const relation = readName(scanner, ',(')
    return scanner.skip('(') ? readOptions(scanner, relation) : relation
  })

const OPTIONS = ['fields', 'sort', 'limit', 'filter'] as const
type Option = (typeof OPTIONS)[number]

const ENDS = ',)'

function readOptions(scanner: TextScanner, relation: string): ExpandInput {
  const input: ExpandInput = { relation, fields: [], query: [], sort: [], limit: DEFAULT_LIMIT }
  if (scanner.skip(')')) return input
  do READ[readOption(scanner)](scanner, input)
  while (scanner.skip(','))
  if (!scanner.skip(')')) throw scanner.fault('expected ")" after what is said of the list')
  scanner.skipSpaces()
  return input
}

function readOption(scanner: TextScanner): Option {
  const start = scanner.position
  const name = readName(scanner, ENDS)
  const option = OPTIONS.find((one) => one === name)
  if (!option) throw scanner.fault(unknownName('option', name, OPTIONS), start)
  if (!scanner.skip(':')) throw scanner.fault(`expected ":" after "${name}"`)
  return option
}

const READ: Record<Option, (scanner: TextScanner, input: ExpandInput) => void> = {
  fields: (scanner, { fields }) => {
    do fields.push(readName(scanner, `${ENDS}|`))
    while (scanner.skip('|'))
  },
  sort: (scanner, { sort }) => {
    do sort.push(readSort(scanner, `${ENDS}|`))
    while (scanner.skip('|'))
  },
  limit: (scanner, input) => {
    const start = scanner.position
    const { text } = scanner.read(ENDS)
    const limit = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0
    if (limit < 1 || limit > MAX_LIMIT)
      throw scanner.fault(`expected a number from 1 to ${MAX_LIMIT}`, start)
    input.limit = limit
  },
  filter: (scanner, { query }) => {
    query.push(readCondition(scanner, ENDS))
  },
}
