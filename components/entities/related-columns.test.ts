import { expect, test } from 'vitest'
import { loadListParams } from '@/components/data-table/list-params'
import { whyNotEditable } from './cell-editing/cell-editor'
import { pageSearch, searchedFields } from './entity-search'
import { toTableColumns } from './records-table'
import { entitiesBeyond, relatedColumns } from './related-columns'
import { withLabels } from './sheet-columns'
import type { ColumnDescription } from './types'

const column = (name: string, more: Partial<ColumnDescription> = {}): ColumnDescription => ({
  ...{ name, label: null, description: null, type: 'string', kind: 'text', key: false },
  ...{ declared: true, hidden: false, operators: [], rules: {} },
  ...more,
})
const to = (entity: string, field: string, further?: Record<string, string>) => ({
  rules: { reference: { entity, field, ...(further && { with: further }) } },
})
const ORDER = [
  column('note'),
  column('customer', to('Customer', 'id')),
  column('author', to('EngineUsers', 'id')),
  column('customer.note', { declared: false }),
]
const CUSTOMER = [
  column('id', { key: true, type: 'integer', kind: 'integer' }),
  column('name', { label: 'Full name', display: { roles: ['title'], column: 0 } }),
  column('note'),
  column('town', to('Town', 'name', { land: 'country' })),
  column('place', { type: 'location', kind: 'location' }),
]
const ITEMS = { name: 'items', label: 'Items', entity: 'Item' }

const related = (...cols: string[]) => relatedColumns(ORDER, [ITEMS], cols, { Customer: CUSTOMER })
const at = (text: string) => loadListParams(new URLSearchParams(text))

test('a column of what records refer to says the way, and nothing of its part in its own entity', () => {
  const [name, town] = related('note', 'customer.name', 'customer.town')
  expect(name).toMatchObject({ name: 'customer.name', label: 'Customer › Full name' })
  expect(name?.display).toEqual({})
  expect(town?.rules.reference).toEqual({
    ...{ entity: 'Town', field: 'name', with: { 'customer.land': 'country' } },
  })
  expect(whyNotEditable(name as ColumnDescription, true)).toContain('belongs to other records')
})

test('a list of other records is a column of their number', () => {
  expect(related('items.$count')).toMatchObject([
    { name: 'items.$count', label: 'Items › how many', kind: 'integer' },
  ])
  expect(toTableColumns(related('items.$count'))[0]?.align).toBe('end')
})

test('names that lead nowhere, or to what may not be read, are no columns', () => {
  const lost = ['customer.removed', 'note.x', 'items.size', 'things.$count', 'author.email', 'x']
  expect(related(...lost)).toEqual([])
  expect(relatedColumns(ORDER, [], ['customer.name', 'items.$count'], {})).toEqual([])
  expect(relatedColumns(ORDER, [ITEMS], null, { Customer: CUSTOMER })).toEqual([])
})

test('an own field of the whole name comes first, and users of the engine are not asked for', () => {
  expect(related('customer.note')).toEqual([])
  expect(entitiesBeyond(ORDER, ['customer.note', 'author.email', 'note'])).toEqual([])
  expect(entitiesBeyond(ORDER, ['customer.name', 'customer.id'])).toEqual(['Customer'])
  expect(entitiesBeyond(ORDER, null)).toEqual([])
})

test('one request asks for them in their place; the search box does not look in them', () => {
  const cols = ['customer.name', 'note', 'customer.removed']
  const search = pageSearch(ORDER, at(`cols=${cols}&sort=customer.name:desc&q=x`), related(...cols))
  expect(search.fields).toEqual(['persistenceId', 'customer.name', 'note'])
  expect(search.sort).toEqual([{ field: 'customer.name', direction: 'desc' }])
  expect(search.query).toEqual(pageSearch(ORDER, at('q=x')).query)
  expect(searchedFields([...ORDER.slice(0, 1), ...related(...cols)])).toEqual(['note'])
})

test('places of other records are sorted by their distance, where there is one', () => {
  const cols = ['customer.place']
  const params = at(`cols=${cols}&sort=customer.place:asc`)
  expect(pageSearch(ORDER, params, related(...cols)).sort).toEqual([])
  expect(toTableColumns(related(...cols))[0]?.sortable).toBe(false)
})

test('a file says what they are, and leaves the names of own fields as they are imported', () => {
  const fields = ['note', 'customer.name']
  const columns = related('customer.name', 'customer.id')
  expect(withLabels({ fields }, columns)).toEqual({
    fields,
    labels: { 'customer.name': 'Customer › Full name' },
  })
  expect(withLabels({}, columns)).toEqual({})
})
