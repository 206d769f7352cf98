import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonWithoutFormulas, withFormulas, withoutFormulas } from './csv-formula'

const SIGNS = [...'\'=+-@\t\r\n＝＠;| "a1']
const texts = fc.string({ unit: fc.constantFrom(...SIGNS), maxLength: 8 })

test('what was written without formulas is read as it was', () => {
  fc.assert(fc.property(texts, (text) => withFormulas(withoutFormulas(text)) === text))
})

test('JSON without formulas is the same JSON', () => {
  const json = fc.record({ text: texts, list: fc.array(texts) })
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(value)
      expect(JSON.parse(jsonWithoutFormulas(text))).toEqual(value)
    }),
  )
})

test.each([
  ['+49 30', "'+49 30"],
  ["'+49 30", "''+49 30"],
  ['a;=1', "a;'=1"],
  ["a;'=1", "a;''=1"],
  ["O'Neill", "O'Neill"],
  ["'quoted'", "'quoted'"],
])('%j is written as %j', (text, written) => {
  expect(withoutFormulas(text)).toBe(written)
})
