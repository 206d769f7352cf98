import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonSyntaxError } from '@/lib/json'
import { NotRecordsError, parseContent } from './parse-content'

const bytes = (text: string) => new TextEncoder().encode(text)
const padding = 'x'.repeat(700_000)

describe('parseContent', () => {
  test('reads one object and an array of objects', async () => {
    expect(await parseContent(bytes('{"a":1}'))).toEqual([{ a: 1 }])
    expect(await parseContent(bytes('\ufeff[{"a":1},{"a":2}]'))).toEqual([{ a: 1 }, { a: 2 }])
    expect(await parseContent(bytes('[]'))).toEqual([])
  })

  test.each(['1', '"text"', 'null', '[{"a":1},2]', '[[]]'])('refuses %s', async (text) => {
    await expect(parseContent(bytes(text))).rejects.toThrow(NotRecordsError)
  })

  test('reads large arrays in slices exactly as a whole', async () => {
    const records = fc.array(
      fc.record({ text: fc.string({ unit: 'binary' }), json: fc.jsonValue({ maxDepth: 3 }) }),
      { minLength: 4, maxLength: 8 },
    )
    await fc.assert(
      fc.asyncProperty(records, fc.constantFrom(0, 2), async (given, indent) => {
        const text = JSON.stringify(
          given.map((record) => ({ padding, ...record })),
          null,
          indent,
        )
        expect(await parseContent(bytes(text))).toEqual(JSON.parse(text))
      }),
      { numRuns: 20 },
    )
  })

  test.each([
    ['a missing comma', (item: string) => `[${item},${item} ${item}]`],
    ['a doubled comma', (item: string) => `[${item},${item},,${item}]`],
    ['a comma at the end', (item: string) => `[${item},${item},]`],
    ['text after the array', (item: string) => `[${item},${item}] x`],
    ['no end', (item: string) => `[${item},${item},${item}`],
    ['an unterminated string', (item: string) => `[${item},${item},"`],
  ])('a large array with %s is a syntax error with its place', async (_, build) => {
    const item = JSON.stringify({ padding })
    const fault = await parseContent(bytes(build(item))).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(JsonSyntaxError)
    expect((fault as JsonSyntaxError).position).toBeGreaterThan(item.length)
  })
})
