import { expect, test } from 'vitest'
import { tabSeparated } from './copy-rows'

test('cells with tabs, lines or quotes stay one cell', () => {
  const rows = [
    ['1', 'a\tb', 'say "so"'],
    ['2', 'two\nlines', ''],
  ]
  expect(tabSeparated(rows)).toBe('1\t"a\tb"\t"say ""so"""\n2\t"two\nlines"\t')
})

test('texts that a spreadsheet would run become texts, numbers stay', () => {
  expect(tabSeparated([['=1+1', '-5.20', '-x']])).toBe("'=1+1\t-5.20\t'-x")
})
