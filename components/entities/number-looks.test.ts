import { expect, it } from 'vitest'
import { parseExactJson } from '@/lib/values/exact-json'
import { decimalPlaces, fillerOf } from './decimal-places'
import type { ColumnDescription, EntityRecord } from './types'

const column = (name: string, part: Partial<ColumnDescription>): ColumnDescription => ({
  name,
  label: null,
  description: null,
  type: 'decimal',
  kind: 'decimal',
  key: false,
  declared: true,
  hidden: false,
  operators: [],
  rules: {},
  ...part,
})

const rows = parseExactJson(
  `[{"price":1.10,"ratio":3,"tail":0.12345678901234567},{"price":20,"ratio":null,"tail":1},{"price":3.125}]`,
) as EntityRecord[]

it('finds the most digits after the point, zeros at the end and a limit included', () => {
  const columns = [
    column('price', {}),
    column('ratio', { kind: 'float' }),
    column('tail', { kind: 'float' }),
    column('count', { kind: 'integer' }),
    column('no', { key: true }),
  ]
  expect(decimalPlaces(columns, rows)).toEqual({ price: 3, ratio: 0, tail: 8 })
  expect(decimalPlaces(columns, [])).toEqual({ price: 0, ratio: 0, tail: 0 })
})

it.each([
  ['1.10', 3, '0'],
  ['20', 3, '.000'],
  ['3.125', 3, ''],
  ['0.123456789', 3, ''],
  ['7', 0, ''],
])('fills %s up to %i digits with "%s"', (text, places, filler) => {
  expect(fillerOf(text, places)).toBe(filler)
})
