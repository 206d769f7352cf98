import { describe, expect, it, test } from 'vitest'
import { spanCondition, spanOf, spanText } from './span'
import { parseRelative, parseTime, relativeWords } from './time-words'

describe('words for a relative time', () => {
  test.each([
    ['$now', 'now'],
    ['$today', 'today'],
    ['$now(0d)', 'now'],
    ['$now(-7d)', '7 days ago'],
    ['$now(+2w)', 'in 2 weeks'],
    ['$now(1mo)', 'in 1 month'],
    ['$today(-1d)', 'yesterday'],
    ['$today(1d)', 'tomorrow'],
    ['$today(-1y)', '1 year before today'],
    ['$today(3h)', '3 hours after today'],
  ])('of an instant: %s is %s', (written, words) => {
    expect(relativeWords(written, 'datetime')).toBe(words)
  })

  test.each([
    ['$today(-7d)', '7 days ago'],
    ['$now(-7d)', '7 days before now'],
    ['$now(-3h)', '3 hours ago'],
    ['$today(-3h)', '3 hours before today'],
  ])('of a date: %s is %s', (written, words) => {
    expect(relativeWords(written, 'date')).toBe(words)
  })

  it('says nothing of other texts', () => {
    for (const text of ['', 'now', '$me', '$now(7)', '$now(-7q)', '2026-01-01'])
      expect(relativeWords(text, 'datetime')).toBeNull()
  })

  it('is read back as it was written', () => {
    const kinds = ['date', 'datetime'] as const
    for (const kind of kinds)
      for (const base of ['now', 'today'])
        for (const unit of ['s', 'm', 'h', 'd', 'w', 'mo', 'y'])
          for (const distance of [-12, -1, 1, 7]) {
            const written = `$${base}(${distance}${unit})`
            expect(parseRelative(relativeWords(written, kind) ?? '', kind), kind).toBe(written)
          }
  })
})

describe('a typed time', () => {
  test.each([
    ['7 days ago', '$now(-7d)'],
    ['In 2 Weeks', '$now(2w)'],
    ['an hour ago', '$now(-1h)'],
    ['2 hours from now', '$now(2h)'],
    ['-3mo', '$now(-3mo)'],
    ['+1y', '$now(1y)'],
    ['5m ago', '$now(-5m)'],
    ['yesterday', '$today(-1d)'],
    [' now ', '$now'],
    ['$today(-7d)', '$today(-7d)'],
    ['2 weeks', null],
    ['soon', null],
    ['$now(999999y)', null],
    ['0 days ago', '$now'],
    ['2026-01-31T10:00:00+02:00', '2026-01-31T08:00:00.000Z'],
    ['2026-02-30 10:00', null],
    ['2026-01-31 25:00', null],
  ])('of an instant: %s is %s', (text, value) => {
    expect(parseTime(text, 'datetime')).toBe(value)
  })

  test.each([
    ['7 days ago', '$today(-7d)'],
    ['3 hours ago', '$now(-3h)'],
    ['today', '$today'],
    ['2026-01-31', '2026-01-31'],
    ['2026-01-31 10:00', null],
    ['2026-02-30', null],
  ])('of a date: %s is %s', (text, value) => {
    expect(parseTime(text, 'date')).toBe(value)
  })

  it('is one of the reader’s zone where it names none', () => {
    for (const text of ['2026-01-31 9:30', '2026-01-31T09:30', '2026-01-31 09:30:00'])
      expect(parseTime(text, 'datetime')).toBe(new Date(2026, 0, 31, 9, 30).toISOString())
    expect(parseTime('2026-01-31', 'datetime')).toBe(new Date(2026, 0, 31).toISOString())
  })
})

describe('a span before or after now', () => {
  const last = { way: 'last', count: 7, unit: 'd' } as const

  it('is a condition between a relative time and now', () => {
    expect(spanCondition('at', 'datetime', last).value).toEqual(['$now(-7d)', '$now'])
    expect(spanCondition('at', 'date', last).value).toEqual(['$today(-7d)', '$today'])
    const next = { way: 'next', count: 2, unit: 'w' } as const
    expect(spanCondition('at', 'datetime', next).value).toEqual(['$now', '$now(2w)'])
    for (const span of [last, next]) expect(spanOf(spanCondition('at', 'date', span))).toEqual(span)
  })

  it('is none where the ends are others', () => {
    const values = [
      ['$now(-7d)', '$today'],
      ['$now(7d)', '$now'],
      ['$now', '$now'],
      ['2026', '$now'],
      '$now',
      [1, 2],
    ]
    for (const value of values)
      expect(spanOf({ field: 'at', operator: 'between', value })).toBeNull()
    expect(spanOf({ field: 'at', operator: 'in', value: ['$now(-7d)', '$now'] })).toBeNull()
  })

  it('is said in words', () => {
    expect(spanText(last)).toBe('is in the last 7 days')
    expect(spanText({ way: 'next', count: 1, unit: 'mo' })).toBe('is in the next month')
  })
})
