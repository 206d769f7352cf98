import { describe, expect, it } from 'vitest'
import { exactJsonText, isNested, LosslessNumber, parseExactJson, plainText } from './exact-json'

describe('JSON in the console', () => {
  it.each([
    '9007199254740993',
    '-9007199254740993',
    '123456789012345678901234567890.123456789012345678901234567890',
    '0.1000000000000000055511151231257827',
    '1.10',
    '1E400',
    '-0',
  ])('keeps every digit of %s, wherever it stands', (digits) => {
    const text = `{"a":${digits},"b":[${digits},{"c":${digits}}]}`
    expect(exactJsonText(parseExactJson(text))).toBe(text)
    expect(plainText(parseExactJson(digits))).toBe(digits)
  })

  it('has ordinary numbers where a double holds them', () => {
    expect(parseExactJson('[0,1,-2.5,1e+21,9007199254740991]')).toEqual([
      0, 1, -2.5, 1e21, 9007199254740991,
    ])
  })

  it('writes what JSON.stringify would write, but for numbers', () => {
    const value = { a: undefined, b: [undefined, null, true], c: 'é"\n', d: {} }
    expect(exactJsonText(value)).toBe(JSON.stringify(value))
    expect(exactJsonText({ a: [1] }, 2)).toBe(JSON.stringify({ a: [1] }, null, 2))
    expect(exactJsonText(undefined)).toBe('null')
  })

  it('distinguishes numbers from objects', () => {
    expect(isNested(new LosslessNumber('1.10'))).toBe(false)
    expect([{}, [], null, 'x', 1].map(isNested)).toEqual([true, true, false, false, false])
  })

  it.each([
    '{"isLosslessNumber":true,"value":"1"}',
    '{"isLosslessNumber":true,"value":"1","toString":"x"}',
    '[{"a":{"isLosslessNumber":true}}]',
    '{"__proto__":{"a":1},"b":{"__proto__":[1.10]}}',
    '{"__proto__":{"toJSON":1},"constructor":null,"hasOwnProperty":1,"toJSON":"x"}',
    '{"b":{"__proto__":null},"c":{"__proto__":9007199254740993}}',
  ])('keeps %s as the data it is', (text) => {
    const value = parseExactJson(text)
    expect(exactJsonText(value)).toBe(text)
    expect(plainText(value)).toBe(text)
    expect(isNested(value)).toBe(true)
  })

  it('refuses a key that is given twice', () => {
    expect(() => parseExactJson('{"a":1,"a":2}')).toThrow(/Duplicate key 'a'/)
    expect(() => parseExactJson('{"__proto__":1,"__proto__":2}')).toThrow(/Duplicate key/)
  })
})
