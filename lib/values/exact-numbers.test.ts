import { describe, expect, test } from 'vitest'
import { type JsonObject, literalOf, parseJson, stringifyExactly } from './json'

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

  test('are rounded where they are not requested', () => {
    expect(parseJson('[9007199254740993]')).toEqual([2 ** 53])
  })

  test('leave text alone', () => {
    const text = String.raw`["9007199254740993", "\"9007199254740993", "\\", 9007199254740993]`
    const value = parseJson(text, { exactly: true })
    expect(value).toEqual(['9007199254740993', '"9007199254740993', '\\', expect.anything()])
    expect(stringifyExactly(value)).toBe(text.replaceAll(' ', ''))
  })

  test.each([
    String.raw`"\uD800#5"`,
    String.raw`"\ud800\u00235"`,
    String.raw`"\ud800#9007199254740993"`,
    String.raw`"\\\ud800#5"`,
  ])('can not be forged by %s, alone or beside a marked number', (forged) => {
    for (const others of ['', ', 9007199254740993']) {
      const [value] = parseJson(`[${forged}${others}]`, { exactly: true }) as string[]
      expect(value).toContain('\ud800')
      expect(literalOf(value)).toBeNull()
      expect(JSON.parse(stringifyExactly({ value: value ?? null }))).toEqual({ value })
    }
  })

  test.each([String.raw`{"\ud800#5":1}`, String.raw`{"\uD800\u00235":1}`])(
    'can not be forged by the name of a property: %s',
    (text) => {
      const value = parseJson(text, { exactly: true })
      expect(JSON.parse(stringifyExactly(value))).toEqual(value)
    },
  )

  test.each(['\ud800#', '\ud800#x', '\ud800#-', '\ud800#1.', '\ud800#01', '\ud800#5 '])(
    'are not taken out of %j, which holds no number',
    (text) => {
      expect(literalOf(text)).toBeNull()
    },
  )

  test('leave text alone that only looks like a mark', () => {
    const text = String.raw`["\\ud800#5","\\ud800\\u00235",9007199254740993]`
    const value = parseJson(text, { exactly: true }) as string[]
    expect(value.slice(0, 2)).toEqual([String.raw`\ud800#5`, String.raw`\ud800\u00235`])
    expect(stringifyExactly(value)).toBe(text)
  })
})
