import { expect, test } from 'vitest'
import { countLines } from './export-records'

test.each([
  ['csv', '', 0],
  ['csv', 'a,1\nb,2\n', 2],
  ['csv', '"one\nrecord",1\n"say ""hi""\n",2\n', 2],
  ['text', 'a"\tb\nc\td\n', 2],
  ['json', '{"a":"x"}\n{"a":"\\n"}\n', 2],
] as const)('records of %s: %j', (format, text, count) => {
  expect(countLines(Buffer.from(text), format)).toBe(count)
})
