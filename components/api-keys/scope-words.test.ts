import { expect, test } from 'vitest'
import { PERMISSIONS } from '@/lib/auth/rights'
import { scopeWords } from './scope-words'

test.each([
  ['plugins:read', 'Read plugins'],
  ['Order:update', 'Change Order'],
  ['*:read', 'Read records of every entity'],
  ['Order:*', 'Everything with Order'],
  ['of a later version', 'of a later version'],
])('%s is shown as “%s”', (scope, words) => expect(scopeWords(scope)).toBe(words))

test('no right of the console is shown by its technical name', () => {
  expect(PERMISSIONS.map(scopeWords).filter((words) => words.includes(':'))).toEqual([])
})
