import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { contentReader } from './record-contents'

// Stored digests are compared with those of later installs.
test('a content is the digest of canonical JSON without the parts of the key', () => {
  const reader = contentReader(['id'])
  reader.add({ b: [1, { d: null, c: 'ü' }], a: 'x', id: null }, 3)
  reader.add({ id: 7 }, 4)
  reader.add({ a: 'x', b: [1, { c: 'ü', d: null }] }, 5)
  reader.add({}, 6)
  const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)
  const digest = digestOf('{"a":"x","b":[1,{"c":"ü","d":null}]}')
  const contents = reader.take()
  expect([3, 4, 5, 6, 7].map((index) => contents.get(index))).toEqual([
    { index: 3, digest, ordinal: 0 },
    undefined,
    { index: 5, digest, ordinal: 1 },
    { index: 6, digest: digestOf('{}'), ordinal: 0 },
    undefined,
  ])
  reader.add({ a: 'x', b: [1, { c: 'ü', d: null }] }, 7)
  expect(reader.take().get(7)).toEqual({ index: 7, digest, ordinal: 2 })
})

test('contents of many records are found by their indexes', () => {
  const reader = contentReader(['id'])
  for (let index = 0; index < 1_000; index++)
    reader.add(index % 3 === 0 ? { id: 1 } : { n: index }, index)
  const contents = reader.take()
  expect(contents.size).toBe(666)
  for (let index = 0; index < 1_000; index++)
    expect(contents.get(index)?.index).toBe(index % 3 === 0 ? undefined : index)
})
