import { expect, it } from 'vitest'
import { csvLine } from './save-file'

it('quotes what would break a line of CSV', () => {
  expect(csvLine(['a"b', 'c,d', 'e\nf', 1, null, { x: 1 }])).toBe(
    '"a""b","c,d","e\nf",1,,"{""x"":1}"',
  )
})

it('keeps a spreadsheet from running a text, but leaves negative numbers alone', () => {
  expect(csvLine(['=1+1', '@x', -5])).toBe("'=1+1,'@x,-5")
  expect(csvLine(['a;=1+1', 'b'])).toBe("a;'=1+1,b")
})
