import { describe, expect, test } from 'vitest'
import { literalOf, stringifyExactly } from './exact-numbers'
import { type JsonObject, parseJson } from './json'

const read = (text: string) => (parseJson(`{"x":${text}}`, { exactly: true }) as JsonObject).x

describe('numbers read exactly', () => {
  test.each([
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '0.12345678901234567890',
    '12345678901234567890.5',
    '40.712775999999998',
    '1e400',
    '9.0071992547409931e15',
    `1${'0'.repeat(500)}1`,
  ])('keep every digit of %s', (text) => {
    expect(literalOf(read(text))).toBe(text)
    expect(stringifyExactly({ x: [read(text) ?? null] })).toBe(`{"x":[${text}]}`)
  })

  test.each([
    ['9007199254740991', 2 ** 53 - 1],
    ['0.1', 0.1],
    ['1.50', 1.5],
    ['-0', -0],
    ['1E2', 100],
    ['0.30000000000000004', 0.1 + 0.2],
    ['1e15', 1e15],
    ['5e-324', 5e-324],
  ])('are plain numbers where a double holds %s', (text, number) => {
    expect(read(text)).toBe(number)
  })

  test('are rounded where nobody asks for them', () => {
    expect(parseJson('[9007199254740993]')).toEqual([2 ** 53])
  })

  test('leave text alone', () => {
    const text = String.raw`["9007199254740993", "\"9007199254740993", "\\", 9007199254740993]`
    const value = parseJson(text, { exactly: true })
    expect(value).toEqual(['9007199254740993', '"9007199254740993', '\\', expect.anything()])
    expect(stringifyExactly(value)).toBe(text.replaceAll(' ', ''))
  })

  test('can not be forged by text', () => {
    const [forged] = parseJson(String.raw`["\uD800#5", 9007199254740993]`, {
      exactly: true,
    }) as string[]
    expect(literalOf(forged)).toBeNull()
    const escaped = { x: String.raw`"\ud800#5"` }
    expect(JSON.parse(stringifyExactly(escaped))).toEqual(escaped)
  })
})
