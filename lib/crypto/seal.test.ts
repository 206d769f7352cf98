import { describe, expect, test } from 'vitest'
import { deriveKey } from './derive-key'
import { seal, unseal } from './seal'

const SECRET = { current: 'a secret for tests, 32 characters', previous: null }
const key = deriveKey(SECRET, 'mail-body')

describe('a sealed text', () => {
  test.each(['', 'words', 'ä日本👍\u0000', 'x'.repeat(100_000)])(
    'opens with the same key and context',
    (text) => {
      expect(unseal(key, 'row 1', seal(key, 'row 1', text))).toBe(text)
    },
  )

  test('differs each time', () => {
    expect(seal(key, 'row 1', 'words')).not.toBe(seal(key, 'row 1', 'words'))
  })

  test('opens in no other place, with no other key, and not when a byte is altered or gone', () => {
    const sealed = seal(key, 'row 1', 'words')
    const other = deriveKey(SECRET, 'session')
    expect(() => unseal(key, 'row 2', sealed)).toThrow()
    expect(() => unseal(other, 'row 1', sealed)).toThrow()
    const bytes = Buffer.from(sealed, 'base64')
    for (const at of bytes.keys()) {
      const altered = Buffer.from(bytes)
      altered[at] = (altered[at] ?? 0) ^ 1
      expect(() => unseal(key, 'row 1', altered.toString('base64'))).toThrow()
      expect(() => unseal(key, 'row 1', bytes.subarray(0, at).toString('base64'))).toThrow()
    }
  })
})
