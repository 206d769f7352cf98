import { describe, expect, it } from 'vitest'
import {
  extended,
  NOTHING_SELECTED,
  pageToggled,
  type Selection,
  selectionOf,
  toggled,
} from './use-row-selection'

const ORDER = ['1', '2', '3', '4', '5', '6', '7']
const idsOf = ({ ids }: Selection) => [...ids].sort().join('')

/** Shift with an arrow key, from row to row. */
const steps = (start: Selection, ...rows: string[]) =>
  rows.slice(1).reduce((now, to, index) => extended(now, ORDER, to, rows[index]), start)

describe('a range of rows', () => {
  it('grows from the row where Space was pressed', () => {
    expect(idsOf(steps(toggled(NOTHING_SELECTED, '3'), '3', '4', '5'))).toBe('345')
  })

  it('shrinks again, and grows to the other side of its anchor', () => {
    const down = steps(toggled(NOTHING_SELECTED, '3'), '3', '4', '5')
    expect(idsOf(steps(down, '5', '4'))).toBe('34')
    expect(idsOf(steps(down, '5', '4', '3'))).toBe('3')
    expect(idsOf(steps(down, '5', '4', '3', '2', '1'))).toBe('123')
  })

  it('gives back what was selected before it when it shrinks', () => {
    const before = toggled(selectionOf(new Set(['5', '7'])), '3')
    const wide = steps(before, '3', '4', '5', '6')
    expect(idsOf(wide)).toBe('34567')
    expect(idsOf(steps(wide, '6', '5', '4'))).toBe('3457')
  })

  it('begins at the row one comes from when it was left', () => {
    const first = steps(toggled(NOTHING_SELECTED, '1'), '1', '2')
    expect(idsOf(steps(first, '5', '6'))).toBe('1256')
    expect(idsOf(steps(NOTHING_SELECTED, '4', '5'))).toBe('45')
  })

  it('goes from the last row touched to the one pressed with Shift, both ways', () => {
    const anchored = toggled(NOTHING_SELECTED, '4')
    expect(idsOf(extended(anchored, ORDER, '6'))).toBe('456')
    expect(idsOf(extended(extended(anchored, ORDER, '6'), ORDER, '2'))).toBe('234')
    expect(idsOf(extended(extended(anchored, ORDER, '7'), ORDER, '5'))).toBe('45')
  })

  it('takes rows out when it begins at one that was taken out', () => {
    const all = selectionOf(new Set(ORDER))
    const less = extended(toggled(all, '3'), ORDER, '5')
    expect(idsOf(less)).toBe('1267')
    expect(idsOf(extended(less, ORDER, '4'))).toBe('12567')
  })

  it('is one row when its anchor is on another page', () => {
    const elsewhere = toggled(NOTHING_SELECTED, 'z')
    expect(idsOf(extended(elsewhere, ORDER, '2'))).toBe('2z')
  })

  it('ends the selection of everything that matches', () => {
    const all = { ...selectionOf(new Set(ORDER)), allMatching: true }
    expect(toggled(all, '3').allMatching).toBe(false)
    expect(extended(all, ORDER, '3').allMatching).toBe(false)
  })
})

it('selects the page, then no longer', () => {
  const some = toggled(selectionOf(new Set(['z'])), '1')
  const page = pageToggled(some, ORDER)
  expect(idsOf(page)).toBe('1234567z')
  expect(idsOf(pageToggled(page, ORDER))).toBe('z')
})
