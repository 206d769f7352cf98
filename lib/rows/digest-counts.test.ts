import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { DigestCounts } from './digest-counts'

const digestOf = (text: string) => createHash('sha256').update(text).digest()

test('counts each of many digests by itself', () => {
  const counts = new DigestCounts()
  const expected = new Map<number, number>()
  for (let n = 0; n < 60_000; n++) {
    const which = (n * 7919) % 25_000
    const before = expected.get(which) ?? 0
    expected.set(which, before + 1)
    if (counts.add(digestOf(String(which))) !== before) throw new Error(`wrong count of ${which}`)
  }
  expect(counts.add(digestOf('0'))).toBe(expected.get(0))
})
