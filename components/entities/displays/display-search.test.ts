import { expect, test } from 'vitest'
import { loadListParams } from '@/components/data-table/list-params'
import type { Kind } from '@/lib/kinds/kind'
import type { ColumnDescription } from '../types'
import { displayQuery, displaySearch } from './display-search'
import { displaysOf, imageField } from './supported'

const column = (name: string, kind: Kind = 'text', key = false) =>
  ({ name, kind, key, declared: true, hidden: false, type: kind, rules: {} }) as ColumnDescription

const EVENT = [
  column('id', 'integer', true),
  column('title'),
  column('createdAt', 'datetime'),
  column('day', 'date'),
  column('room'),
]
const referring = {
  ...column('front'),
  rules: { reference: { entity: 'EngineFiles', field: 'fileId' } },
} as ColumnDescription
const at = (search: string) => loadListParams(new URLSearchParams(search))

test.each([
  ['a table always', [column('id')], ['table']],
  ['no images of links', [column('homepage')], ['table']],
  ['cards with an image', [column('photoUrl')], ['table', 'cards']],
  ['cards with a reference to images', [referring], ['table', 'cards']],
  ['cards with images', [column('images', 'array')], ['table', 'cards']],
  ['a calendar with a date', [column('due', 'date')], ['table', 'calendar']],
  ['a map with two numbers', [column('lat', 'float'), column('lon', 'float')], ['table', 'map']],
  ['a map with a place', [column('location', 'json')], ['table', 'map']],
  ['no map with a word', [column('location')], ['table']],
])('%s', (_, columns, displays) => {
  expect(displaysOf(columns)).toEqual(displays)
})

test('a calendar asks for the days that it shows', () => {
  const { query, fields, sort, pagination } = displaySearch(
    EVENT,
    at('display=calendar&month=2026-11&page=3&sort=title:asc'),
  )
  expect(query).toEqual([
    { field: 'day', operator: 'gte', value: '2026-10-26' },
    { field: 'day', operator: 'lt', value: '2026-12-07' },
  ])
  expect(sort).toEqual([{ field: 'day', direction: 'asc' }])
  expect(pagination).toEqual({ page: 0, size: 1000 })
  expect(fields).toEqual(['persistenceId', 'id', 'title', 'day'])
})

test('times are asked for with a day more on both sides, for every zone', () => {
  expect(displayQuery(EVENT, at('display=calendar&month=2026-11&by=createdAt'))).toEqual([
    { field: 'createdAt', operator: 'gte', value: '2026-10-25T00:00:00.000Z' },
    { field: 'createdAt', operator: 'lt', value: '2026-12-08T00:00:00.000Z' },
  ])
})

test('a form that the fields do not allow is the table', () => {
  expect(displaySearch(EVENT, at('display=map&size=25'))).toEqual(
    displaySearch(EVENT, at('size=25')),
  )
})

test('cards ask for the image, the name and what stands below it', () => {
  const columns = [...EVENT, column('logo')]
  expect(imageField(columns)).toBe('logo')
  const { fields, pagination } = displaySearch(columns, at('display=cards&size=25'))
  expect(fields).toEqual(['persistenceId', 'id', 'title', 'logo', 'createdAt', 'day', 'room'])
  expect(pagination).toEqual({ page: 0, size: 25 })
})
