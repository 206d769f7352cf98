import { expect, test } from 'vitest'
import { decrypt, encrypt, reencrypt } from './stored-text'

const FORMER = { current: 'the former secret of 32 characters', previous: null }
const NEW = { current: 'the new secret of 32 characters or more', previous: null }
const BOTH = { current: NEW.current, previous: FORMER.current }
const place = { purpose: 'mail-body', id: 'row 1' } as const

test('a text is read with the secret that encrypted it, while that is set', () => {
  const stored = encrypt(FORMER, place, 'words')
  expect([FORMER, NEW, BOTH].map((secret) => decrypt(secret, place, stored))).toEqual([
    'words',
    null,
    'words',
  ])
  expect(decrypt(BOTH, { ...place, id: 'row 2' }, stored)).toBeNull()
  expect(decrypt(BOTH, { ...place, purpose: 'totp-secret' }, stored)).toBeNull()
})

test('a text is encrypted with the current secret, and again when it was with the previous one', () => {
  const again = reencrypt(BOTH, place, encrypt(FORMER, place, 'words'))
  expect(decrypt(NEW, place, again ?? '')).toBe('words')
  expect(reencrypt(BOTH, place, encrypt(BOTH, place, 'words'))).toBeNull()
  expect(reencrypt(BOTH, place, encrypt({ ...NEW, current: 'x' }, place, 'words'))).toBeNull()
})
