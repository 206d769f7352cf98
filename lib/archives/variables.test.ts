import { expect, test } from 'vitest'
import type { JsonObject } from '@/lib/values/json'
import { substitute, type Variables } from './variables'

const variables: Variables = {
  config: [
    {
      host: 'shop.example',
      year: 2026,
      nested: { a: 'deep' },
      'dotted.name': 'flat',
      self: '${config.host}',
    },
    { version: '1.2.0', host: 'hidden' },
  ],
  manifest: [{ region: 'EU' }],
}

test.each([
  ['${config.host}', 'shop.example'],
  ['https://${config.host}/${manifest.region}', 'https://shop.example/EU'],
  ['v${config.version}', 'v1.2.0'],
  ['${config.year}', '2026'],
  ['${config.nested}', '{"a":"deep"}'],
  ['${config.nested.a} ${config.dotted.name}', 'deep flat'],
  ['${config.self}', '${config.host}'],
  [
    '${config.unknown} ${manifest.nope} ${other.x} ${config.} $config.host',
    '${config.unknown} ${manifest.nope} ${other.x} ${config.} $config.host',
  ],
  [
    '${config.constructor} ${config.__proto__} ${config.nested.toString}',
    '${config.constructor} ${config.__proto__} ${config.nested.toString}',
  ],
])('%s becomes %s', (text, result) => {
  expect(substitute(text, variables, { bytes: 1_000_000 })).toBe(result)
})

test('values are replaced at any depth; keys, numbers and own "__proto__" stay', () => {
  const record = JSON.parse(
    '{"${config.host}":[1,"${manifest.region}",null],"__proto__":{"x":"${manifest.region}"}}',
  )
  const result = substitute(record as JsonObject, variables, { bytes: 1_000_000 })
  expect(JSON.stringify(result)).toBe('{"${config.host}":[1,"EU",null],"__proto__":{"x":"EU"}}')
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
})

test('variables bring no more than there is room for', () => {
  const expand = (text: string, bytes: number) => substitute(text, variables, { bytes })
  expect(expand('${config.host} ${config.year}', 16)).toBe('shop.example 2026')
  expect(() => expand('${config.host} ${config.year}', 15)).toThrow('Invalid record')
  const long: Variables = { config: [{ city: 'Zürich' }], manifest: [] }
  expect(substitute('${config.city}', long, { bytes: 7 })).toBe('Zürich')
  expect(() => substitute('${config.city}', long, { bytes: 6 })).toThrow('Invalid record')
})
