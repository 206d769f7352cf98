import { expect, test } from 'vitest'
import { passwordHasher, verifyPassword } from './password'

const hashPassword = passwordHasher()

test('a password is verified against its hash alone', async () => {
  const encoded = await hashPassword('correct horse')
  expect(encoded).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword(encoded, 'correct horse')).toBe(true)
  expect(await verifyPassword(encoded, 'correct horse ')).toBe(false)
})

test('the same password gets another hash each time', async () => {
  expect(await hashPassword('correct horse')).not.toBe(await hashPassword('correct horse'))
})

test('a character counts the same however a keyboard composes it', async () => {
  expect(await verifyPassword(await hashPassword('Zoe\u0308 rides'), 'Zo\u00eb rides')).toBe(true)
})
