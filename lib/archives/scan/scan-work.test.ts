import { afterEach, expect, test, vi } from 'vitest'
import { RecordScanner, ScanError } from './record-scanner.mjs'

afterEach(() => vi.restoreAllMocks())

const PIECE = 1024
const PIECES = 256
const limits = { maxRecords: 10, maxRecordBytes: 1e9, maxRecordValues: 1e6, maxNesting: 500 }
const blanks = ' '.repeat(PIECE * PIECES)

/** Reads a text in pieces; returns how many bytes were copied, and the most that was held. */
function measure(text: string) {
  let copied = 0
  let held = 0
  const { concat, allocUnsafe } = Buffer
  vi.spyOn(Buffer, 'concat').mockImplementation((list) => {
    const made = concat(list)
    copied += made.length
    return made
  })
  vi.spyOn(Buffer, 'allocUnsafe').mockImplementation((size) => {
    copied += size
    return allocUnsafe(size)
  })
  const scanner = new RecordScanner(limits)
  const items: unknown[] = []
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += PIECE) {
    for (const slice of scanner.push(bytes.subarray(at, at + PIECE))) items.push(...slice.items)
    held = Math.max(held, scanner.bytes.length)
  }
  for (const slice of scanner.end()) items.push(...slice.items)
  return { items, copied, held }
}

test.each([
  ['before an array', `${blanks}[{}]`, 1],
  ['before an object', `${blanks}{}`, 1],
  ['after a byte order mark', `\ufeff${blanks}[]`, 0],
  ['in an empty array', `[${blanks}]`, 0],
  ['before the first record', `[${blanks}{}]`, 1],
  ['between records', `[{},${blanks}{}]`, 2],
  ['after an array', `[{}]${blanks}`, 1],
  ['after an object', `{}${blanks}`, 1],
])('blanks %s are dropped as they come', (_, text, records) => {
  const { items, held } = measure(text)
  expect(items).toEqual(Array.from({ length: records }, () => ({})))
  expect(held).toBeLessThanOrEqual(2 * PIECE)
})

test.each([
  ['a long text', `[{"a":"${'x'.repeat(PIECE * PIECES)}"}]`],
  ['escapes', `[{"a":"${'\\n'.repeat((PIECE * PIECES) / 2)}"}]`],
  ['a long number', `[{"a":1${'0'.repeat(PIECE * PIECES)}}]`],
  ['blanks in a record', `[{"a":${blanks}1}]`],
  ['blanks after a record', `[{}${blanks}]`],
  ['one object', `{"a":"${'x'.repeat(PIECE * PIECES)}"}`],
])('%s over many pieces is not copied for each of them', (_, text) => {
  const { items, copied } = measure(text)
  expect(items).toHaveLength(1)
  expect(copied).toBeLessThan(8 * text.length)
})

test.each([
  ['before a fault', `${'\n'.repeat(3 * PIECE)} x`, 3 * PIECE + 1, 2],
  ['between records', `[{},${'\n'.repeat(3 * PIECE)} x]`, 3 * PIECE + 1, 2],
  ['before a missing record', `[{},${'\n'.repeat(3 * PIECE)} ]`, 3 * PIECE + 1, 2],
  ['after the end', `{}${'\n'.repeat(3 * PIECE)} x`, 3 * PIECE + 1, 2],
])('blanks %s count for its place', (_, text, line, column) => {
  let fault: unknown
  try {
    measure(text)
  } catch (error) {
    fault = error instanceof ScanError ? error.fault : error
  }
  expect(fault).toMatchObject({ kind: 'syntax', line, column })
})
