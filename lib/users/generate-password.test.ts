import { expect, test } from 'vitest'
import { strongPassword } from './bodies'
import { generatePassword } from './letter'

test('generated passwords are good ones, and never the same', () => {
  const made = Array.from({ length: 500 }, generatePassword)
  expect(new Set(made).size).toBe(500)
  for (const password of made) {
    expect(password).toMatch(/^([A-HJ-NP-Za-km-np-z2-9]{5}-){3}[A-HJ-NP-Za-km-np-z2-9]{5}$/)
    expect(strongPassword.safeParse(password).success).toBe(true)
  }
})

test.each(['password', 'PassWord1', 'qwertyuiop', '1234567890', 'iloveyou1', 'Football1'])(
  'the password %s is too common',
  (password) => {
    expect(strongPassword.safeParse(password).success).toBe(false)
  },
)
