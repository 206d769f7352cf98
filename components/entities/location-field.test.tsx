// @vitest-environment happy-dom
import { act, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeEach, expect, test, vi } from 'vitest'
import { faultOf } from '@/components/data-table/filter/condition-faults'
import { describe as inWords } from '@/components/data-table/filter/field'
import { initialCondition } from '@/components/data-table/filter/initial-condition'
import { splitTyped } from '@/components/data-table/filter/split-typed'
import { ValueInput } from '@/components/data-table/filter/value-input'
import { formOf } from '@/components/kinds/value-forms'
import { CellValue } from './cell-value'
import { FieldControl } from './field-control'
import { isSortable, sortOf } from './place-sort'
import type { ColumnDescription } from './types'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const column = {
  ...{ name: 'place', label: null, description: null, type: 'location', kind: 'location' },
  ...{ key: false, declared: true, hidden: false, operators: [], rules: {} },
} as unknown as ColumnDescription
const field = { name: 'place', kind: 'location' } as const
const near = { field: 'place', operator: 'near', value: ['48.8584', '2.2945', '50'] }

let box: HTMLElement
beforeEach(() => {
  box = document.createElement('div')
  document.body.replaceChildren(box)
})
const show = (node: ReactNode) => act(() => createRoot(box).render(node))
const inputs = () =>
  [...box.querySelectorAll('input')].map((one) => [one.getAttribute('aria-label'), one.value])

/** As a person types it. */
const type = (at: number, text: string) =>
  act(() => {
    const input = box.querySelectorAll('input')[at] as HTMLInputElement
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })

test('a cell has a location, and on hover with all its digits', async () => {
  const value = { lat: 48.85837009, lon: 2.2945 }
  await show(<CellValue value={value} column={column} record={{ persistenceId: '1' }} />)
  expect(box.textContent).toBe('48.85837° N, 2.2945° E')
  expect(box.querySelector('a')?.title).toBe('48.85837009, 2.2945')
})

test('a form has two numbers with their names, of which either takes both', async () => {
  const onChange = vi.fn()
  const props = { column, texts: {}, onChange, onOthers: () => {} }
  await show(<FieldControl {...props} value="48.8584, 2.2945" />)
  expect(inputs()).toEqual([
    ['Latitude of Place', '48.8584'],
    ['Longitude of Place', '2.2945'],
  ])
  await type(1, '3')
  expect(onChange).toHaveBeenLastCalledWith('48.8584, 3')
  await type(0, '51.5, -0.12')
  expect(onChange).toHaveBeenLastCalledWith('51.5, -0.12')
})

test('a form reads what is typed, and says what it takes', () => {
  const { parse, toText } = formOf('location')
  expect(toText({ lat: 48.8584, lon: -2.5 })).toBe('48.8584, -2.5')
  expect(parse('48.8584, -2.5')).toEqual({ value: { lat: 48.8584, lon: -2.5 } })
  const error = 'Enter latitude and longitude, such as 48.8584, 2.2945: at most 90 and 180 degrees'
  for (const text of ['48.8584,', '91, 5', 'here']) expect(parse(text)).toEqual({ error })
})

test('a filter begins with a distance, and names its numbers', async () => {
  expect(initialCondition(field)).toEqual({ field: 'place', operator: 'near', value: [] })
  const onChange = vi.fn()
  await show(<ValueInput field={field} operator="near" value={['48', '2']} onChange={onChange} />)
  expect(inputs()).toEqual([
    ['Latitude', '48'],
    ['Longitude', '2'],
    ['Kilometres', ''],
  ])
  await type(2, '50')
  expect(onChange).toHaveBeenLastCalledWith(['48', '2', '50'])
})

test('a filter is told in words, typed as in addresses, and refused with its form', () => {
  expect(inWords(near, [field])).toBe('place within 50 km of 48.8584, 2.2945')
  const within = { field: 'place', operator: 'within', value: [48, 2, 49, 3] }
  expect(inWords(within, [field])).toBe(
    'place between 48° and 49° of latitude, 2° and 3° of longitude',
  )
  expect(splitTyped('place:near:48|2|5')?.[0]).toMatchObject({ values: ['48', '2', '5'] })
  expect(faultOf(near, [field])).toBeNull()
  expect(faultOf({ ...near, value: [48, 2] }, [field])?.reason).toMatch(/^Enter lat\|lon\|km/)
})

test('a list is sorted by a place where the filter says from where', () => {
  const sort = [{ field: 'place', direction: 'asc' as const }]
  expect([isSortable(column, []), isSortable(column, [near])]).toEqual([false, true])
  expect(sortOf([column], { sort, filter: [] })).toEqual([])
  expect(sortOf([column], { sort, filter: [near] })).toEqual([
    { field: 'place.$distance', direction: 'asc' },
  ])
})
