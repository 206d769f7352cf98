import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBack, withFormulas, withoutFormulas } from './csv-formula'

const SIGNS = [...'\'=+-@\t\r\n＝＠;| "a1']
const texts = fc.string({ unit: fc.constantFrom(...SIGNS), maxLength: 8 })

test('what was written without formulas is read as it was', () => {
  fc.assert(fc.property(texts, (text) => withFormulas(withoutFormulas(text)) === text))
})

test('a cell that is kept to be corrected is read as it was', () => {
  fc.assert(fc.property(texts, (text) => withFormulas(readBack(text)) === text))
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
