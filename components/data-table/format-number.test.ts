import { describe, expect, it } from 'vitest'
import type { NumberFormat } from '@/lib/definitions/display'
import { formatNumber } from './format-number'
import { formatBare, formatValue } from './format-value'

it.each<[string, NumberFormat, string]>([
  ['1234.5', { decimals: 2 }, '1,234.50'],
  ['1234.5', { grouping: false }, '1234.5'],
  ['12345678901234567890.123456789', {}, '12,345,678,901,234,567,890.123456789'],
  ['0.256', { style: 'percent' }, '25.6%'],
  ['0.256', { style: 'percent', decimals: 0 }, '26%'],
  ['1234.5', { style: 'currency', currency: 'EUR' }, '€1,234.50'],
  ['1234', { style: 'currency', currency: 'JPY' }, '¥1,234'],
  ['0', { style: 'bytes' }, '0 byte'],
  ['1536', { style: 'bytes' }, '1.5 kB'],
  ['2000000', { style: 'bytes', decimals: 2 }, '2.00 MB'],
  ['0.5', { style: 'bytes' }, '0.5 byte'],
  ['1e30', { style: 'bytes', grouping: false }, '1000000000000000 PB'],
  ['', { decimals: 2 }, ''],
  ['$now', { decimals: 2 }, '$now'],
])('%s as %j is %s', (text, format, shown) => {
  expect(formatNumber(text, format)).toBe(shown)
})

describe('a value as its definition shows it', () => {
  const status = {
    ...{ name: 'status', kind: 'text' as const },
    display: {
      choices: [
        { value: 'new', label: 'Just in' },
        { value: 'old', color: 'red' as const },
      ],
    },
  }

  it('is the label of its choice, where it has one', () => {
    expect(formatValue('new', status)).toBe('Just in')
    expect(formatValue('old', status)).toBe('old')
    expect(formatValue('other', status)).toBe('other')
  })

  it('has its unit behind it', () => {
    const weight = { name: 'weight', kind: 'integer' as const, display: { unit: 'kg' } }
    expect(formatValue(12000, weight)).toBe('12,000 kg')
    expect(formatBare(12000, weight)).toBe('12,000')
    expect(formatValue('', weight)).toBe('')
  })

  it('finds numbers among choices, however they are spelt', () => {
    const level = {
      ...{ name: 'level', kind: 'decimal' as const },
      display: { choices: [{ value: '1', label: 'Low' }] },
    }
    expect(formatValue(1, level)).toBe('Low')
  })
})
