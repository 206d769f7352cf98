import { expect, test } from 'vitest'
import { pairSimilar } from './match-similar'

const candidate = <K>(id: K, fields: Record<string, string>) => ({
  id,
  fields: new Map(Object.entries(fields)),
})
/** How often each value occurs among the records. */
function countsOf(records: readonly { fields: ReadonlyMap<string, string> }[]) {
  const counts = new Map<string, number>()
  for (const { fields } of records)
    for (const [name, value] of fields)
      counts.set(`${name}=${value}`, (counts.get(`${name}=${value}`) ?? 0) + 1)
  return counts
}

const FORMER = [
  candidate('one', { no: '1', a: 'x', b: 'same', c: 'c1' }),
  candidate('two', { no: '2', a: 'y', b: 'same', c: 'c2' }),
]

test('a record is the former one with its unique value, even if it resembles another one', async () => {
  const records = [
    candidate(0, { no: '1', a: 'y', b: 'same', c: 'c1' }),
    candidate(1, { no: '2', a: 'z', b: 'same', c: 'c2' }),
  ]
  const paired = await pairSimilar(records, FORMER, countsOf(records), new Set(['no']))
  expect(paired).toEqual([
    [0, 'one'],
    [1, 'two'],
  ])
})

test('a new record that resembles a former one does not take it from the record with its unique value', async () => {
  const records = [
    candidate(0, { no: '9', a: 'x', b: 'same', c: 'c9' }),
    candidate(1, { no: '1', a: 'q', b: 'same', c: 'c1' }),
  ]
  const paired = await pairSimilar(records, FORMER, countsOf(records), new Set(['no']))
  expect(paired).toEqual([[1, 'one']])
})

test('without unique values, a record that resembles two former ones stays new', async () => {
  const records = [candidate(0, { a: 'y', b: 'same', c: 'c1' })]
  expect(await pairSimilar(records, FORMER, countsOf(records), new Set())).toEqual([])
})
