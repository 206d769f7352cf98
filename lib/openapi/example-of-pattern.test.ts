import { expect, test } from 'vitest'
import { exampleOfPattern } from './example-of-pattern'

test.each([
  ['^[A-Z]{3}$', 'AAA'],
  ['^[A-Za-z0-9-]{2,10}$', 'AA'],
  ['^\\d{4}-\\d{2}$', '0000-00'],
  ['^(?:red|green)(-light)?$', 'red'],
  ['^[\\w.]+@x\\.org$', 'a@x.org'],
  ['^a*b+c?.$', 'ba'],
  ['[]x]', ']'],
  ['', ''],
])('%s matches %s', (pattern, text) => {
  expect(exampleOfPattern(pattern)).toBe(text)
})

test.each(['^[^a]$', '(?i)abc', '^a(?P<n>b)$', '^(', '^[a', '^\\p{Lu}$'])(
  'of %s no text can be told',
  (pattern) => {
    expect(exampleOfPattern(pattern)).toBeNull()
  },
)
