import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { CellValue } from './cell-value'
import { dateField, imageField, placeFields } from './displays/supported'
import { shownAtFirst } from './entity-search'
import { sectionsOf } from './field-groups'
import { numberLooks } from './number-looks'
import { titleFields } from './record-title'
import { toTableColumns } from './records-table'
import type { ColumnDescription } from './types'

const column = (name: string, more: Partial<ColumnDescription> = {}): ColumnDescription => ({
  ...{ name, label: null, description: null, type: 'string', kind: 'text', key: false },
  ...{ declared: true, hidden: false, operators: [], rules: {} },
  ...more,
})
const id = column('id', { key: true })

it('lists show the columns that the definition names, in its order', () => {
  const columns = [
    id,
    column('name', { display: { column: 1 } }),
    column('note'),
    column('status', { display: { column: 0 } }),
  ]
  expect(shownAtFirst(columns)).toEqual(['status', 'name'])
  const shown = toTableColumns(columns)
  expect(shown.map(({ id, hidden }) => [id, hidden])).toEqual([
    ['status', false],
    ['name', false],
    ['id', true],
    ['note', true],
  ])
})

it('a field that is hidden in lists can be chosen, and is not shown at first', () => {
  const columns = [id, column('name'), column('note', { display: { hidden: { list: true } } })]
  expect(shownAtFirst(columns)).toEqual(['id', 'name'])
  expect(toTableColumns(columns).map(({ id }) => id)).toContain('note')
})

it('fields that are all hidden in lists are all shown', () => {
  const hidden = { display: { hidden: { list: true as const } } }
  const columns = [column('id', { key: true, ...hidden }), column('name', hidden)]
  expect(shownAtFirst(columns)).toEqual(['id', 'name'])
})

it('the definition names what records are shown by', () => {
  const columns = [
    column('name'),
    column('code', { display: { roles: ['title'] } }),
    column('photo'),
    column('front', { display: { roles: ['image'] } }),
    column('due', { kind: 'date' }),
    column('CreatedAt', { kind: 'datetime', display: { roles: ['date'] } }),
    column('y', { kind: 'float', display: { roles: ['latitude'] } }),
    column('x', { kind: 'float', display: { roles: ['longitude'] } }),
  ]
  expect(titleFields(columns)).toEqual(['code', 'name'])
  expect(imageField(columns)).toBe('front')
  expect(dateField(columns)?.name).toBe('CreatedAt')
  expect(dateField(columns, 'due')?.name).toBe('due')
  expect(placeFields(columns)).toEqual({ latitude: 'y', longitude: 'x' })
})

it('forms have the groups of the definition, fields without one first', () => {
  const of = (group: string) => ({ display: { group } })
  const columns = [
    column('a', of('More')),
    column('b'),
    column('c', of('Main')),
    column('d', of('More')),
  ]
  const sections = sectionsOf(columns)
  expect(sections.map(({ title, columns }) => [title, columns.map(({ name }) => name)])).toEqual([
    [null, ['b']],
    ['More', ['a', 'd']],
    ['Main', ['c']],
  ])
})

const html = (value: string | number, described: ColumnDescription) =>
  renderToStaticMarkup(
    <CellValue value={value} column={described} record={{ persistenceId: '1' }} />,
  )

it('a choice has its label and colour; without any, colours are by place', () => {
  const rules = { enum: ['new', 'old'] }
  const shown = column('status', {
    ...{ rules, display: { choices: [{ value: 'new', label: 'Just in', color: 'green' }] } },
  })
  expect(html('new', shown)).toMatch(/--tint-hue:165.*title="new".*>Just in</)
  expect(html('old', shown)).not.toContain('--tint-hue')
  expect(html('old', column('status', { rules }))).toContain('--tint-hue:165')
  const gray = column('status', { rules, display: { choices: [{ value: 'new', color: 'gray' }] } })
  expect(html('new', gray)).not.toContain('--tint-hue')
})

it('a number among choices is one, and stands where words stand', () => {
  const level = column('level', {
    ...{ kind: 'integer', type: 'integer', rules: { enum: [1, 2] } },
    display: { choices: [{ value: 1, label: 'Low', color: 'red' }] },
  })
  expect(html(1, level)).toContain('Low')
  expect(toTableColumns([level])[0]?.align).toBe('start')
})

it('a number has its unit behind it and its digits below each other', () => {
  const weight = column('weight', { kind: 'decimal', type: 'decimal', display: { unit: 'kg' } })
  expect(html('12.50', weight)).toMatch(/>12\.50<\/span> kg$/)
  const price = { ...weight, name: 'price', display: { format: { decimals: 2 } } }
  expect(html('12.5', price)).toMatch(/title="12\.5"[^>]*>12\.50</)
  const rows = [{ persistenceId: '1', weight: '1.25', price: '1.25' }]
  expect(numberLooks([weight, price], rows)).toEqual({ weight: { places: 2, isGrouped: false } })
  expect(toTableColumns([price])[0]?.align).toBe('end')
})
