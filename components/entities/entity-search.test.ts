import { expect, test } from 'vitest'
import { describe as inWords } from '@/components/data-table/filter/field'
import { loadListParams, readListText, toListText } from '@/components/data-table/list-params'
import { matchQuery, pageSearch } from './entity-search'
import { recordsHref, referringToMatches } from './referring'
import type { ColumnDescription } from './types'

const column = (name: string, rules: ColumnDescription['rules'] = {}) =>
  ({ name, kind: 'text', declared: true, hidden: false, rules }) as ColumnDescription
const found = { searchable: true, textSearch: { weight: 'A', language: 'simple' } } as const

const WITH_WORDS = [column('title', found), column('code', { searchable: true }), column('body')]
const WITHOUT = [column('title'), column('code', { searchable: true })]
const kind = { field: 'kind', operator: 'eq', value: 'atlas' }
const at = (q: string, sort = '') =>
  loadListParams(new URLSearchParams({ q, sort, filter: JSON.stringify([kind]) }))
const words = { operator: 'matches-text', value: 'red house' } as const

test('what is typed is a text search where the entity has one, best matches first', () => {
  const { q, query, sort } = pageSearch(WITH_WORDS, at(' red house '))
  expect({ q, query, sort }).toEqual({ q: 'red house', query: [kind], sort: [] })
  const chosen = pageSearch(WITH_WORDS, at('red house', 'title:desc'))
  expect(chosen.sort).toEqual([{ field: 'title', direction: 'desc' }])
})

test('counts, exports and deletions have the same condition, and it is told in words', () => {
  expect(matchQuery(WITH_WORDS, at('red house'))).toEqual([kind, words])
  expect(inWords(words, [])).toBe('Words “red house”')
  const kept = readListText(toListText(at('red house')))
  expect(matchQuery(WITH_WORDS, { ...kept, filter: [] })).toEqual([words])
})

test('other entities, and what has no word, are searched by parts of texts', () => {
  const part = (value: string) => ({ field: 'code', operator: 'icontains', value })
  expect(pageSearch(WITHOUT, at('red house')).q).toBeUndefined()
  expect(pageSearch(WITHOUT, at('red house')).query).toEqual(matchQuery(WITHOUT, at('red house')))
  expect(matchQuery(WITHOUT, at('red'))).toEqual([kind, { operator: 'or', filters: [part('red')] }])
  for (const q of ['"', '-', '-house', 'a '.repeat(21)]) {
    const search = pageSearch(WITH_WORDS, at(q))
    expect([search.q, search.query]).toEqual([undefined, matchQuery(WITH_WORDS, at(q))])
    expect(search.query).toHaveLength(2)
  }
  expect(matchQuery(WITH_WORDS, { filter: [], q: ' ' })).toEqual([])
})

test('a text search in an address is kept, and does not go beyond references', () => {
  const href = recordsHref('Book', [words])
  const { filter } = loadListParams(new URL(href, 'http://engine').searchParams)
  expect(filter).toEqual([words])
  const referring = { field: 'book', reference: { entity: 'Book', field: 'id' } }
  expect(referringToMatches(referring as Parameters<typeof referringToMatches>[0], [words])).toBe(
    null,
  )
})
