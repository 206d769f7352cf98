import { describe, expect, test } from 'vitest'
import { JsonSyntaxError, parseJson } from './json'

describe('parseJson', () => {
  test('reads UTF-8 bytes with a byte order mark', () => {
    expect(parseJson(new TextEncoder().encode('\ufeff{"name":"Zoë"}'))).toEqual({ name: 'Zoë' })
  })

  test('names a fault below more levels than its own parser can go', () => {
    expect(() => parseJson('[{"a":'.repeat(100_000))).toThrow(JsonSyntaxError)
  })

  test('refuses more levels than what works on values can go, in text of any length', () => {
    const nested = (levels: number) => `[1, "[[\\"[[", ${'['.repeat(levels)}${']'.repeat(levels)}]`
    expect(parseJson(nested(499))).toHaveLength(3)
    expect(thrownBy(() => parseJson(nested(500)))).toMatchObject({
      message: 'Nested deeper than 500 levels at line 1, column 514',
    })
  })

  test('keeps __proto__ as plain data', () => {
    const value = parseJson('{"__proto__":{"admin":true}}') as object
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test.each([
    ['{"a":}', 1, 6, 'Expected a value'],
    ['{"a":1,', 1, 8, 'Expected a property name in double quotes'],
    ['', 1, 1, 'Expected a value'],
    ['[1,\n 2\n 3]', 3, 2, 'Expected a comma'],
    ['{a:1}', 1, 2, 'Unexpected word'],
    ['[1,]', 1, 4, 'Expected a value'],
    ['1 2', 1, 3, 'Expected the end of the text'],
    ['{"x":"\n"}', 1, 6, 'Unterminated string'],
    ['/* no */ 1', 1, 1, 'Comments are not allowed'],
  ])('%j fails at line %i, column %i: %s', (text, line, column, reason) => {
    const error = thrownBy(() => parseJson(text))
    expect(error).toMatchObject({ line, column, reason })
  })

  test('refuses bytes that are not UTF-8', () => {
    const error = thrownBy(() => parseJson(new Uint8Array([0x22, 0xff, 0x22])))
    expect(error).toMatchObject({ reason: 'Not valid UTF-8' })
  })
})

function thrownBy(act: () => unknown): JsonSyntaxError {
  try {
    act()
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error
  }
  throw new Error('Nothing was thrown')
}
