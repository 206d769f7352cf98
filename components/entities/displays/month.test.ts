import { expect, test } from 'vitest'
import { daysOf, monthOf, shiftMonth } from './month'
import { dayAfterKey, dayOf } from './month-words'

test('a month is shown in whole weeks from Monday', () => {
  const november = daysOf('2026-11')
  expect([november[0], november.at(-1), november.length]).toEqual(['2026-10-26', '2026-12-06', 42])
  expect(daysOf('2027-02')).toHaveLength(28)
  expect(daysOf('2026-03').at(-1)).toBe('2026-04-05')
})

test('months follow each other over the ends of years', () => {
  expect(shiftMonth('2026-12', 1)).toBe('2027-01')
  expect(shiftMonth('2026-01', -1)).toBe('2025-12')
})

test.each([
  ['2026-02', '2026-02'],
  ['2026-13', '2026-11'],
  ['soon', '2026-11'],
  [null, '2026-11'],
])('the address %s shows %s', (written, shown) => {
  expect(monthOf(written, new Date('2026-11-23T12:00:00Z'))).toBe(shown)
})

test.each([
  ['2026-11-23', 'UTC', '2026-11-23'],
  ['2026-11-23T23:30:00.000Z', 'UTC', '2026-11-23'],
  ['2026-11-23T23:30:00.000Z', 'Europe/Berlin', '2026-11-24'],
  ['2026-11-23T03:30:00.000Z', 'America/New_York', '2026-11-22'],
  ['never', 'UTC', null],
  [null, 'UTC', null],
])('%s in %s is on %s', (value, zone, day) => {
  expect(dayOf(value, zone)).toBe(day)
})

test.each([
  ['ArrowLeft', '2026-11-01', '2026-10-31'],
  ['ArrowDown', '2026-11-25', '2026-12-02'],
  ['Home', '2026-11-25', '2026-11-23'],
  ['End', '2026-11-25', '2026-11-29'],
  ['PageDown', '2027-01-31', '2027-02-28'],
  ['PageUp', '2026-11-05', '2026-10-05'],
  ['a', '2026-11-05', null],
])('%s leads from %s to %s', (key, from, to) => {
  expect(dayAfterKey(key, from)).toBe(to)
})
