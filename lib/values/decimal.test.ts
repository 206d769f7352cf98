import { expect, test } from 'vitest'
import { addDecimals, multiplyDecimals } from './decimal'

test.each([
  ['0.1', '0.2', '0.3', '0.02'],
  ['9007199254740993', '1', '9007199254740994', '9007199254740993'],
  ['-1.50', '1.5', '0', '-2.25'],
  ['1e3', '-0.5', '999.5', '-500'],
  ['2.5E-3', '0', '0.0025', '0'],
  ['-0.004', '0.001', '-0.003', '-0.000004'],
])('%s and %s: the sum is %s, the product %s', (a, b, sum, product) => {
  expect(addDecimals(a, b)).toBe(sum)
  expect(multiplyDecimals(a, b)).toBe(product)
})

test.each(['', 'x', '1e1001', '1e-1001'])('"%s" is refused', (text) => {
  expect(() => addDecimals(text, '1')).toThrow(RangeError)
})
