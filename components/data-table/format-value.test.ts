import { describe, expect, it } from 'vitest'
import { parseExactJson } from '@/lib/values/exact-json'
import { formatValue } from './format-value'

describe('a number', () => {
  it.each([
    ['1234', '1234'],
    ['12345', '12,345'],
    ['-1234567.50', '-1,234,567.50'],
    ['9007199254740993', '9,007,199,254,740,993'],
    ['12345678901234567890.123456789012345678', '12,345,678,901,234,567,890.123456789012345678'],
    ['1.10', '1.10'],
    ['1e21', '1e21'],
  ])('%s is written %s', (digits, text) => {
    const value = parseExactJson(digits)
    expect(formatValue(value, { name: 'price', kind: 'decimal' })).toBe(text)
  })

  it.each(['customerId', 'zip', 'orderNo', 'YEAR', 'phone'])(
    'has no groups where %s numbers things',
    (name) => {
      expect(formatValue(80331, { name, kind: 'integer' })).toBe('80331')
    },
  )

  it('has none in a key, and has them in a name that only ends alike', () => {
    expect(formatValue(80331, { name: 'big', kind: 'integer', key: true })).toBe('80331')
    expect(formatValue(80331, { name: 'casino', kind: 'integer' })).toBe('80,331')
  })
})

describe('a time', () => {
  const field = { name: 'bought', kind: 'datetime' } as const

  it('says its zone, in winter and in summer', () => {
    const timeZone = 'America/New_York'
    const format = (value: string) => formatValue(value, field, { timeZone })
    expect(format('2026-01-02T10:00:00.000Z')).toBe('2026-01-02 05:00:00 EST')
    expect(format('2026-07-02T10:00:00.000Z')).toBe('2026-07-02 06:00:00 EDT')
  })

  it.each(['$now(-7d)', 'May 7', '', '2026-01-02T10:00'])('stays %j where it is none', (value) => {
    expect(formatValue(value, field, { timeZone: 'UTC' })).toBe(value)
  })
})

it('says Yes and No', () => {
  const field = { name: 'lent', kind: 'boolean' } as const
  expect([true, 'false'].map((value) => formatValue(value, field))).toEqual(['Yes', 'No'])
})
