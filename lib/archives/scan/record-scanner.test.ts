import fc from 'fast-check'
import { expect, test } from 'vitest'
import { budget } from '@/lib/testing/budget'
import { JsonSyntaxError, parseJson } from '@/lib/values/json'
import { RecordScanner, ScanError } from './record-scanner.mjs'

/** As `parseJson` sees it, in pieces of any size. */
test('a scanner finds what a parser finds, and takes no text that a parser does not', () => {
  const limits = { maxRecords: 100, maxRecordBytes: 1e6, maxRecordValues: 1e6, maxNesting: 500 }
  const scan = (text: string, size: number) => {
    const bytes = Buffer.from(text)
    const scanner = new RecordScanner(limits)
    const items: unknown[] = []
    for (let at = 0; at < bytes.length; at += size)
      for (const slice of scanner.push(bytes.subarray(at, at + size))) items.push(...slice.items)
    for (const slice of scanner.end()) items.push(...slice.items)
    return items
  }
  const damage = fc.record({
    at: fc.nat(),
    cut: fc.nat({ max: 2 }),
    put: fc.constantFrom('', ',', '"', ']', '}', '{', '[', 'x', '1', '\\', '\n'),
  })
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 4 }),
      fc.option(damage, { nil: undefined }),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(0, 1),
      (records, damaged, size, indent) => {
        const sound = JSON.stringify(records, null, indent)
        const at = damaged ? damaged.at % (sound.length + 1) : 0
        const text = damaged
          ? sound.slice(0, at) + damaged.put + sound.slice(at + damaged.cut)
          : sound
        const expected = outcome(() => [parseJson(text)].flat())
        const found = outcome(() => scan(text, size))
        if (!Array.isArray(found) && found.kind === 'no-object') return
        expect(found).toEqual(expected)
      },
    ),
    budget(1_000, 1),
  )
})

test('whether a number is exact does not depend on where pieces end', () => {
  const limits = { maxRecords: 100, maxRecordBytes: 1e6, maxRecordValues: 1e6, maxNesting: 500 }
  const exactIn = (text: string, size: number) => {
    const scanner = new RecordScanner(limits)
    const bytes = Buffer.from(text)
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      scanner.push(bytes.subarray(at * size, (at + 1) * size)),
    )
    return [...pieces.flatMap((found) => [...found]), ...scanner.end()].map((one) => one.isExact)
  }
  for (const [number, isExact] of [
    ['-12.345', true],
    ['0.14285714285714285', true],
    ['0.142857142857142851', false],
    ['12345678901234567', false],
    ['9007199254740992', false],
    ['1e3', false],
    ['9'.repeat(200), false],
  ] as const)
    for (const size of [1, 2, 3, 5, 1_000])
      expect(exactIn(`[{"a":${number},"b":[${number}]}]`, size)).toEqual([isExact])
})

function outcome(work: () => unknown[]) {
  try {
    return work()
  } catch (error) {
    const isFault = error instanceof ScanError && 'line' in error.fault
    // Some name the beginning of a token, some the character in it.
    if (error instanceof JsonSyntaxError || isFault) return { kind: 'syntax' }
    return (error instanceof ScanError ? error.fault : error) as { kind: string }
  }
}
