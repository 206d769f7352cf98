import { expect, test } from 'vitest'
import { strengthOf } from './password-strength'

test('words in a row are strong, what everybody takes is not, however it is written', () => {
  expect(strengthOf('short')).toBe('Too short')
  expect(['Very weak', 'Weak']).toContain(strengthOf('P@ssw0rd1'))
  expect(['Very weak', 'Weak']).toContain(strengthOf('qwertyuiop'))
  expect(strengthOf('correct horse battery staple')).toBe('Very strong')
})

test('a very long password takes no long look', () => {
  expect(strengthOf('ab'.repeat(5_000))).toBeDefined()
})
