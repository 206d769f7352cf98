import { describe, expect, it } from 'vitest'
import { parseText } from '../draft'
import type { ColumnDescription } from '../types'
import { faultOf, newPair, type Pair, pairsOf, pairsText, withKind } from './json-pairs'

const STORED = `{
  "name": "12",
  "size": 12,
  "big": 9007199254740993,
  "price": 1.10,
  "sold": false,
  "since": null,
  "parts": {"of":[9007199254740995]}
}`

const column: ColumnDescription = {
  name: 'a',
  label: null,
  description: null,
  type: 'object',
  kind: 'object',
  key: false,
  declared: true,
  hidden: false,
  operators: [],
  rules: {},
}
const mayBeSaved = (text: string) => !('error' in parseText(text, column))
const pairs = (json: string) => pairsOf(json) ?? []
const change = (all: Pair[], key: string, part: Partial<Pair>) =>
  all.map((pair) => (pair.key === key ? { ...pair, ...part } : pair))

describe('the pairs of an object', () => {
  it('have the kinds of their values and all their digits', () => {
    expect(pairs(STORED).map(({ key, kind, text }) => [key, kind, text])).toEqual([
      ['name', 'text', '12'],
      ['size', 'number', '12'],
      ['big', 'number', '9007199254740993'],
      ['price', 'number', '1.10'],
      ['sold', 'boolean', 'false'],
      ['since', 'null', ''],
      ['parts', 'json', '{"of":[9007199254740995]}'],
    ])
  })

  it('make the same text again, whatever its layout', () => {
    const text = pairsText(pairs(STORED))
    expect(text).toContain('"price": 1.10')
    expect(text.replace(/\s/g, '')).toBe(STORED.replace(/\s/g, ''))
    expect(pairsText(pairs(text))).toBe(text)
  })

  it('keep types when one of them is edited', () => {
    const text = pairsText(change(pairs(STORED), 'size', { text: '13' }))
    expect(text).toContain('"size": 13')
    expect(text).toContain('"name": "12"')
    expect(text).toContain('"big": 9007199254740993')
  })

  it('are none for an empty text, and unknown for what is no object', () => {
    expect(pairsOf(' ')).toEqual([])
    expect(['[1]', '1', '{', '{"":1}'].map(pairsOf)).toEqual([null, null, null, null])
    expect(pairsText([])).toBe('{}')
  })
})

describe('a pair that is wrong', () => {
  const wrong = (part: Partial<Pair>, others: Pair[] = []) => {
    const pair = { ...newPair(), key: 'a', ...part }
    const all = [...others, pair]
    return { fault: faultOf(pair, all), saved: mayBeSaved(pairsText(all)) }
  }

  it.each<[Partial<Pair>, string]>([
    [{ key: '', text: 'x' }, 'Enter a key'],
    [{ key: '', kind: 'number', text: '1' }, 'Enter a key'],
    [{ kind: 'number', text: 'twelve' }, 'Enter a number, such as 12 or 0.5'],
    [{ kind: 'number', text: '' }, 'Enter a number, such as 12 or 0.5'],
    [{ kind: 'number', text: 'true' }, 'Enter a number, such as 12 or 0.5'],
    [{ kind: 'json', text: '[1' }, 'Not valid JSON'],
  ])('%j says so and can’t be saved', (part, message) => {
    const { fault, saved } = wrong(part)
    expect(fault).toContain(message)
    expect(saved).toBe(false)
  })

  it('has the key of another one, also with the same value', () => {
    const other = { ...newPair(), key: 'a' }
    expect(wrong({}, [other])).toEqual({ fault: 'This key is used twice', saved: false })
  })

  it('is not the row that nobody touched', () => {
    expect(pairsText([newPair()])).toBe('{}')
  })
})

it('changes its kind and keeps what means something there', () => {
  const pair: Pair = { id: '1', key: 'a', kind: 'number', text: '1.10' }
  expect(withKind(pair, 'text').text).toBe('1.10')
  expect(withKind({ ...pair, kind: 'text', text: 'x' }, 'json').text).toBe('"x"')
  expect(withKind({ ...pair, kind: 'text', text: 'true' }, 'boolean').text).toBe('true')
  expect(withKind(pair, 'boolean').text).toBe('false')
  expect(withKind(pair, 'null').text).toBe('')
})
