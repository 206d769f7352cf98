// @vitest-environment happy-dom
import { act, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeEach, expect, test } from 'vitest'
import { describe as inWords } from '@/components/data-table/filter/field'
import { operatorsFor } from '@/components/data-table/filter/operators'
import { CellValue } from './cell-value'
import { FieldControl } from './field-control'
import type { ColumnDescription } from './types'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const column = {
  ...{ name: 'takes', label: null, description: null, type: 'duration', kind: 'duration' },
  ...{ key: false, declared: true, hidden: false, operators: [], rules: {} },
} as unknown as ColumnDescription
const field = { name: 'takes', kind: 'duration' } as const

let box: HTMLElement
beforeEach(() => {
  box = document.createElement('div')
  document.body.replaceChildren(box)
})
const show = (node: ReactNode) => act(() => createRoot(box).render(node))

test('a cell has a duration in words, and on hover as it is stored', async () => {
  await show(<CellValue value="P1DT2H30M" column={column} record={{ persistenceId: '1' }} />)
  expect(box.textContent).toBe('1 day 2 h 30 min')
  expect(box.querySelector('span')?.title).toBe('P1DT2H30M')
})

test('a form has a text control that shows the form of a duration', async () => {
  const nothing = () => {}
  await show(
    <FieldControl
      {...{ column, value: 'PT90M', texts: {} }}
      onChange={nothing}
      onOthers={nothing}
    />,
  )
  const input = box.querySelector('input')
  expect([input?.type, input?.value, input?.placeholder]).toEqual(['text', 'PT90M', 'P1DT2H30M'])
})

test('a filter compares durations by their length', () => {
  const labels = operatorsFor(field).map(({ label }) => label)
  expect(labels).toEqual(expect.arrayContaining(['is longer than', 'is shorter than', 'is empty']))
  const condition = { field: 'takes', operator: 'gt', value: 'PT36H' }
  expect(inWords(condition, [field])).toBe('takes is longer than 36 h')
})
