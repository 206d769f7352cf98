import { expect, it } from 'vitest'
import { parseExactJson } from '@/lib/values/exact-json'
import { fillerOf, groupedFour, numberLooks } from './number-looks'
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
  const placesOf = (among: EntityRecord[]) =>
    Object.values(numberLooks(columns, among)).map(({ places }) => places)
  expect(placesOf(rows)).toEqual([3, 0, 8, 0])
  expect(placesOf([])).toEqual([0, 0, 0, 0])
})

it('groups the digits of a column alike, but not those of years', () => {
  const columns = [column('feet', {}), column('count', { kind: 'integer' }), column('year', {})]
  const mixed = parseExactJson(
    '[{"feet":8261.0,"count":1234,"year":1999},{"feet":72140.0,"count":9999,"year":20000}]',
  ) as EntityRecord[]
  const looks = numberLooks(columns, mixed)
  expect(Object.values(looks).map(({ isGrouped }) => isGrouped)).toEqual([true, false, false])
  expect(['8261.0', '-8261', '826', '1e9'].map(groupedFour)).toEqual([
    '8,261.0',
    '-8,261',
    '826',
    '1e9',
  ])
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
