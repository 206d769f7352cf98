import { expect, test } from 'vitest'
import { parsedOnce } from './parsed-once'

test('a text that is used again is not parsed again, a fault is, and what was not used for long', () => {
  const parsed: string[] = []
  const parse = parsedOnce((text) => {
    parsed.push(text)
    if (text === '') throw new Error('Nothing to parse')
    return [text]
  })
  expect(parse('a')).toBe(parse('a'))
  expect(() => parse('')).toThrow('Nothing to parse')
  expect(() => parse('')).toThrow('Nothing to parse')
  for (let n = 0; n < 150; n++) {
    parse(String(n))
    parse('a')
  }
  parse('0')
  expect(parsed.filter((text) => text === 'a')).toEqual(['a'])
  expect(parsed.filter((text) => text === '0' || text === '')).toEqual(['', '', '0', '0'])
})
