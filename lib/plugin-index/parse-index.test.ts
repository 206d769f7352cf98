import { expect, test } from 'vitest'
import { parseIndex } from './parse-index'

const version = (more: object = {}) => ({
  ...{ version: '1.0.0', url: 'shop.zip', sha256: 'a'.repeat(64), bytes: 5, ...more },
})
const plugin = (more: object = {}) => ({ id: 'com.example.shop', versions: [version()], ...more })
const index = (...plugins: unknown[]) => ({ engineIndex: 1, plugins })
const parse = (json: unknown) => parseIndex(Buffer.from(JSON.stringify(json)))

test('keys that are not known are ignored', () => {
  const listed = { ...index(plugin({ stars: 5, versions: [version({ more: {} })] })), next: 'x' }
  expect(parse(listed)).toEqual(index(plugin()))
})

test.each<[string, unknown]>([
  ['no JSON object', []],
  ['plugins: ', { engineIndex: 1 }],
  ['plugins: ', { engineIndex: 1, plugins: 'all' }],
  ['engineIndex: ', { ...index(), engineIndex: 2 }],
  ['plugins.0.: ', index(5)],
  ['plugins.1.id is there twice', index(plugin(), plugin())],
  ['plugins.0.id: ', index(plugin({ id: '../shop' }))],
  ['plugins.0.versions: ', index(plugin({ versions: [] }))],
  ['plugins.0.versions has one of them twice', index(plugin({ versions: [version(), version()] }))],
  ['versions has more than 500', index(plugin({ versions: Array(501).fill(0) }))],
  ['more than 5000 plugins', index(...Array(5_001).fill(0))],
  ['versions.0.sha256: ', index(plugin({ versions: [version({ sha256: 'A'.repeat(64) })] }))],
  ['versions.0.bytes: ', index(plugin({ versions: [version({ bytes: 1.5 })] }))],
  ['versions.0.keyId: ', index(plugin({ versions: [version({ keyId: 'x' })] }))],
  ['versions.0.changes: ', index(plugin({ versions: [version({ changes: 'x'.repeat(10_001) })] }))],
  ['versions.0.engine: ', index(plugin({ versions: [version({ engine: '^1' })] }))],
  ['versions.0.publishedAt: ', index(plugin({ versions: [version({ publishedAt: 'today' })] }))],
])('an index is refused as a whole with its first fault: %s', (fault, json) => {
  expect(() => parse(json)).toThrow(fault)
})

test('what is no JSON is refused without what was received', () => {
  for (const text of ['secret of another server', '{"engineIndex":1', ''])
    expect(() => parseIndex(Buffer.from(text))).toThrow(/: it is no JSON object$/)
  expect(() => parseIndex(Buffer.from([0x22, 0xff, 0x22]))).toThrow('no JSON object')
})
