import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { budget } from '@/lib/testing/budget'
import {
  type Json,
  JsonSyntaxError,
  parseJson,
  parseJsonInSteps,
  stringifyExactly,
  TooManyValuesError,
} from './json'

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
    ['[1', 1, 3, 'Expected a closing bracket'],
    ['[', 1, 2, 'Expected a closing bracket'],
    ['{', 1, 2, 'Expected a closing brace'],
    ['{"a":1', 1, 7, 'Expected a closing brace'],
    ['{"a":1]', 1, 7, 'Expected a comma'],
    ['{"a" 1}', 1, 6, 'Expected a colon'],
    ['[1}', 1, 3, 'Expected a comma'],
    ['[tru]', 1, 2, 'Unexpected word'],
    ['[truex]', 1, 6, 'Expected a comma'],
    ['[.5]', 1, 2, 'Expected a value'],
    ['[1.]', 1, 2, 'Invalid number'],
    ['[-]', 1, 2, 'Invalid number'],
    ['[1e+]', 1, 2, 'Invalid number'],
    ['[01]', 1, 3, 'Expected a comma'],
    ['["\\x"]', 1, 3, 'Invalid escape'],
    ['["\\u12g4"]', 1, 3, 'Invalid unicode escape'],
    ['["\t"]', 1, 3, 'Control characters must be escaped'],
    ['[1]\u00a0', 1, 4, 'Expected the end of the text'],
    ['\ufeff\ufeff1', 1, 1, 'Expected a value'],
  ])('%j fails at line %i, column %i: %s', (text, line, column, reason) => {
    const error = thrownBy(() => parseJson(text))
    expect(error).toMatchObject({ line, column, reason })
  })

  test('stops at the first fault, however many follow', () => {
    const error = thrownBy(() => parseJson(`[1${',,'.repeat(4_000_000)}`))
    expect(error).toMatchObject({ position: 3, reason: 'Expected a value' })
  })

  test('counts values up to the limit it is given, and none of names', () => {
    const text = '[{"a":1,"b":[2,"c"]}]'
    expect(parseJson(text, { maxValues: 6 })).toHaveLength(1)
    expect(() => parseJson(text, { maxValues: 5 })).toThrow(TooManyValuesError)
  })

  test('takes for JSON what JSON.parse does, whole and in steps', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), mutated), (text) => {
        const expected = resultOf(() => JSON.parse(text))
        expect(resultOf(() => parseJson(text))).toEqual(expected)
        expect(resultOf(() => inSteps(text))).toEqual(expected)
      }),
      budget(1_000, 1),
    )
  })

  test.each(Object.entries(LARGE))('puts %s together as JSON.parse does', (_, value) => {
    for (const space of [0, 1]) {
      const text = JSON.stringify(value, null, space)
      expect(JSON.stringify(inSteps(text))).toBe(JSON.stringify(JSON.parse(text)))
    }
  })

  test('marks numbers of large texts wherever they are', () => {
    const filler = 'x'.repeat(1000)
    const items = Array.from(
      { length: 300 },
      (_, at) => `{"n":${2n ** 53n + BigInt(at)},"${filler}":0.1}`,
    )
    const text = `{"\\ud800#1":[${items.join()}],"b":9007199254740993}`
    const value = inSteps(text, { exactly: true })
    expect(stringifyExactly(value)).toBe(
      text.replace('#1', '\\ufffd#1').replace('\\ufffd', '\ufffd'),
    )
  })

  test('keeps __proto__ of a large object as plain data', () => {
    const text = `{"a":{"__proto__":[${'1,'.repeat(70_000)}1],"b":1}}`
    const { a } = inSteps(text) as { a: object }
    expect(Object.keys(a)).toEqual(['__proto__', 'b'])
    expect(Object.getPrototypeOf(a)).toBe(Object.prototype)
  })

  test('refuses bytes that are not UTF-8', () => {
    const error = thrownBy(() => parseJson(new Uint8Array([0x22, 0xff, 0x22])))
    expect(error).toMatchObject({ reason: 'Not valid UTF-8' })
  })
})

const long = (prefix: string) => Array.from({ length: 20_000 }, (_, at) => `${prefix} ${at}`)
const LARGE: Record<string, unknown> = {
  'a list': long('item'),
  'a list of lists': [[], long('a'), [[long('b')], 1, [long('c'), long('d')]], 2],
  'an object': Object.fromEntries(long('key').map((key, at) => [key, { at }])),
  'objects in objects': {
    a: { b: 1, 'c:"{[': { d: long('d') } },
    e: [{ f: long('f'), g: 2 }],
    h: 3,
  },
  'one text': `${'"\\\n{[,'.repeat(30_000)}`,
  'empty containers': [Array.from({ length: 40_000 }, () => ({})), {}, [], Array(50_000).fill([])],
}

/** JSON with a character too few, too many or changed. */
const mutated = fc
  .tuple(fc.json(), fc.nat(), fc.constantFrom('', ...'{}[],:"\\-+.e0 1nt/\n\u0001'), fc.nat(1))
  .map(([text, at, char, drop]) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + char + text.slice(place + drop)
  })

const resultOf = (parse: () => unknown) => {
  try {
    return { value: parse() }
  } catch {
    return 'no JSON'
  }
}

function inSteps(text: string, options = {}): Json {
  const steps = parseJsonInSteps(new TextEncoder().encode(text), options)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

function thrownBy(act: () => unknown): JsonSyntaxError {
  try {
    act()
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error
  }
  throw new Error('Nothing was thrown')
}
