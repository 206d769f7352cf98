import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseEnv, SETTINGS } from '@/lib/env'
import { SECRETS } from './secret-files'

const folder = mkdtempSync(join(tmpdir(), 'engine-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SECRET = 'a secret of more than 32 characters'

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

test('a secret is read from the file that is named, without the line end of its editor', () => {
  const { NEXTAUTH_SECRET, METRICS_TOKEN } = parseEnv({
    NEXTAUTH_SECRET_FILE: file('secret', `${SECRET}\n`),
    METRICS_TOKEN_FILE: '',
    METRICS_TOKEN: 'a-token-of-16-or-more',
  })
  expect([NEXTAUTH_SECRET, METRICS_TOKEN]).toEqual([SECRET, 'a-token-of-16-or-more'])
})

test('each is a setting', () => {
  expect(SECRETS.filter((name) => !(name in SETTINGS.shape))).toEqual([])
})

test.each([
  ['a file that is not there', join(folder, 'none'), 'NEXTAUTH_SECRET_FILE: .*none.*ENOENT'],
  ['a folder', folder, 'NEXTAUTH_SECRET_FILE: .*EISDIR'],
  ['an empty one', file('empty', ' \n'), 'NEXTAUTH_SECRET_FILE: .*is empty'],
  ['one that is too large', file('large', 'x'.repeat(65 * 1024)), '_FILE: .*larger than 64 KiB'],
  ['one with a value that is wrong', file('short', 'short'), 'NEXTAUTH_SECRET: needs at least 32'],
])('%s stops the start, without a value', (_, path, message) => {
  expect(() => parseEnv({ NEXTAUTH_SECRET_FILE: path })).toThrow(new RegExp(message))
})

test('a setting and its file at once stop the start', () => {
  const both = { NEXTAUTH_SECRET: SECRET, NEXTAUTH_SECRET_FILE: file('both', SECRET) }
  expect(() => parseEnv(both)).toThrow('NEXTAUTH_SECRET_FILE: NEXTAUTH_SECRET is set, too')
})
