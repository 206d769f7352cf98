import { describe, expect, test } from 'vitest'
import { durationText, parseDuration, totalMicros } from './parse-duration'

const canonical = (text: string) => {
  const found = parseDuration(text)
  return found && durationText(found)
}

describe('a duration', () => {
  test.each([
    ['P1DT2H30M', 'P1DT2H30M'],
    ['PT0S', 'PT0S'],
    ['P0Y', 'PT0S'],
    ['P2W', 'P14D'],
    ['P14M', 'P1Y2M'],
    ['PT90M', 'PT1H30M'],
    ['PT36H', 'PT36H'],
    ['P30D', 'P30D'],
    ['PT0.5S', 'PT0.5S'],
    ['PT1.123456789S', 'PT1.123456S'],
    ['-P1DT2H', 'P-1DT-2H'],
    ['+P1D', 'P1D'],
    ['-P-1D', 'P1D'],
    ['P1M-1D', 'P1M-1D'],
    ['PT1M-0.5S', 'PT59.5S'],
    ['PT-0.5S', 'PT-0.5S'],
    ['P9999Y11M', 'P9999Y11M'],
    ['PT99999999H59M59.999999S', 'PT99999999H59M59.999999S'],
  ])('%s is %s', (text, expected) => {
    expect(canonical(text)).toBe(expected)
    expect(canonical(expected)).toBe(expected)
  })

  test.each([
    ...['', 'P', 'PT', 'P1DT', '1D', 'p1d', 'P1.5D', 'PT1,5S', 'P1H', 'PT1D', 'P1D2Y', ' P1D'],
    ...['P1D ', 'P--1D', 'PT.5S', 'P10000Y', 'P120000M', 'P10000000D', 'PT100000000H', '90'],
    ...['1 day', '01:00:00'],
  ])('is not "%s"', (text) => {
    expect(canonical(text)).toBeNull()
  })

  test.each([
    ['P1D', 'PT24H'],
    ['P1M', 'P30D'],
    ['P1Y', 'P360D'],
    ['P1M-30D', 'PT0S'],
  ])('%s is equal to %s', (a, b) => {
    const [one, other] = [parseDuration(a), parseDuration(b)]
    expect(one && totalMicros(one)).toBe(other && totalMicros(other))
  })
})
