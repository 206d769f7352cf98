import { describe, expect, test } from 'vitest'
import { isLocked, keyFiles, newSecretKey, readSecretKey } from './key-pair'
import { readPublicKey } from './public-key'
import { signContent } from './sign'
import { digestOf, isSignedBy, readSignature } from './signature'

const secret = newSecretKey()
const publicKey = readPublicKey((await keyFiles(secret, '')).publicFile)
const text = signContent('the content', secret, 'com.example.shop 1.0.0')
const lines = text.split('\n')
const read = (changed: string) => readSignature(Buffer.from(changed))
const isValid = (changed: string, content = 'the content') =>
  isSignedBy(publicKey, read(changed), digestOf(content))

/** The text with another character in place of one in the middle of a line. */
function forged(line: number, at = 40): string {
  const changed = [...(lines[line] ?? '')]
  changed[at] = changed[at] === 'A' ? 'B' : 'A'
  return lines.with(line, changed.join('')).join('\n')
}

describe('a signature', () => {
  test('of minisign itself is accepted, for its content alone', () => {
    // Of the documentation of minisign-verify.
    const key = readPublicKey('RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3')
    const made = read(`untrusted comment: signature from minisign secret key
RUQf6LRCGA9i559r3g7V1qNyJDApGip8MfqcadIgT9CuhV3EMhHoN1mGTkUidF/z7SrlQgXdy8ofjb7bNJJylDOocrCo8KLzZwo=
trusted comment: timestamp:1556193335\tfile:test
y/rUw2y8/hOUYjZU71eHp/Wo1KZ40fGy2VJEDl34XMJM+TX48Ss/17u3IvIfbVR1FkZZSNCisQbuQY+bHwhEBg==
`)
    expect(key.keyId).toBe('E7620F1842B4E81F')
    expect(isSignedBy(key, made, digestOf('test'))).toBe(true)
    expect(isSignedBy(key, made, digestOf('Test'))).toBe(false)
  })

  test('is of its content, its comment and its key', () => {
    expect(isValid(text)).toBe(true)
    expect(isValid(text, 'other content')).toBe(false)
    expect(isValid(forged(1))).toBe(false)
    expect(isValid(forged(2, 20))).toBe(false)
    expect(isValid(forged(3))).toBe(false)
    expect(isValid(forged(1, 5))).toBe(false)
  })

  test('of another key that claims the same number is not accepted', () => {
    const other = signContent('the content', { ...newSecretKey(), keyId: secret.keyId }, 'x')
    expect(read(other).keyId).toBe(publicKey.keyId)
    expect(isValid(other)).toBe(false)
  })

  test.each([
    ['truncated in a line', lines.slice(0, 3).concat('AAAA', '').join('\n'), /truncated or/],
    ['without its last line', lines.slice(0, 3).join('\n'), /truncated/],
    ['empty', '', /truncated/],
    ['followed by something', `${text}x`, /something follows/],
    ['followed by an empty line', `${text}\n`, /something follows/],
    ['with base64 in another way', text.replace('=\n', '\n'), /base64/],
    ['of the former form', text.replace('\nRU', '\nRW'), /former form/],
    ['without comments', text.replaceAll('comment', 'remark'), /not the form/],
    ['too long', text.replace('1.0.0', '1'.repeat(5_000)), /too long/],
  ])('%s is refused with the reason', (_, changed, reason) => {
    expect(() => read(changed)).toThrow(reason)
  })
})

describe('a key', () => {
  test.each([
    ['another line', 'RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO'],
    ['a secret key', 'RWRTY0IyAAAA'],
    ['two lines of base64', `${publicKey.text}\n${publicKey.text}`],
    ['nothing', ''],
  ])('%s is no public one', (_, input) => {
    expect(() => readPublicKey(input)).toThrow(/no public key/)
  })

  test('is encrypted by its password, and read with it alone', async () => {
    const { secretFile } = await keyFiles(secret, 'correct horse')
    expect(isLocked(secretFile)).toBe(true)
    expect(await readSecretKey(secretFile, 'correct horse')).toEqual(secret)
    await expect(readSecretKey(secretFile, 'other')).rejects.toThrow(/password/)
  })

  test('without a password is read, unless it is damaged', async () => {
    const { secretFile } = await keyFiles(secret, '')
    expect(await readSecretKey(secretFile, '')).toEqual(secret)
    await expect(readSecretKey(secretFile.slice(0, -9), '')).rejects.toThrow(/no secret key/)
    const other = secretFile.replace(/.{8}(?=.{4}\n$)/, 'AAAAAAAA')
    await expect(readSecretKey(other, '')).rejects.toThrow(/damaged/)
  })
})
