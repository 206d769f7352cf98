import { expect, test } from 'vitest'
import { pageIn } from './pager'

test.each([
  ['7', 20, 7],
  ['0', 20, 1],
  ['999999999999', 20, 20],
  ['', 20, null],
  ['3', 0, 1],
])('“%s” of %i pages is page %s', (text, pages, page) => expect(pageIn(text, pages)).toBe(page))
