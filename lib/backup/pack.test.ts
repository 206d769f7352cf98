import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { pack, unpack } from './pack'

const folder = mkdtempSync(join(tmpdir(), 'engine-pack-'))
afterAll(() => rmSync(folder, { recursive: true }))

const [content, whole, target] = ['content', 'whole.tar', 'target'].map((n) => join(folder, n))
mkdirSync(content as string)
mkdirSync(target as string)
writeFileSync(join(content as string, 'a.txt'), 'words '.repeat(1000))
await pack(content as string, whole as string)
const bytes = readFileSync(whole as string)

const DAMAGED: [string, Buffer][] = [
  ['cut', bytes.subarray(0, 2000)],
  ['cut in its first header', bytes.subarray(0, 100)],
  ['altered', Buffer.concat([Buffer.alloc(512, 'x'), bytes.subarray(512)])],
  ['of something else', Buffer.from('create table shop ();\n'.repeat(100))],
  ['empty', Buffer.alloc(0)],
  ['compressed, and cut', gzipSync(bytes).subarray(0, 60)],
  ['compressed, and altered', Buffer.concat([gzipSync(bytes).subarray(0, 20), bytes])],
]

test.each(DAMAGED)('a backup that is %s is said to be no whole one', async (_, damaged) => {
  const file = join(folder, 'damaged.tar')
  writeFileSync(file, damaged)
  const failure = await unpack(file, target as string).catch((error: Error) => error.message)
  expect(failure).toMatch(/damaged\.tar is no whole backup: /)
  expect(failure).not.toContain('TAR_')
})

test('a backup that is missing is said to be missing', async () => {
  const missing = join(folder, 'missing.tar')
  await expect(unpack(missing, target as string)).rejects.toThrow(`There is no file ${missing}`)
})

test('a folder in place of a backup is said to be no file', async () => {
  await expect(unpack(content as string, target as string)).rejects.toThrow('is no file')
})

test('a backup that was compressed by gzip is unpacked', async () => {
  const file = join(folder, 'whole.tar.gz')
  writeFileSync(file, gzipSync(bytes))
  await unpack(file, target as string)
  expect(readFileSync(join(target as string, 'a.txt'), 'utf8')).toBe('words '.repeat(1000))
})

test('nothing is read after the end of an archive', { timeout: 5_000 }, async () => {
  const file = join(folder, 'long.tar.gz')
  writeFileSync(file, gzipSync(Buffer.concat([bytes, Buffer.alloc(30 * 1024 * 1024)])))
  await unpack(file, target as string)
  const bomb = join(folder, 'bomb.gz')
  writeFileSync(bomb, gzipSync(Buffer.alloc(30 * 1024 * 1024)))
  await expect(unpack(bomb, target as string)).rejects.toThrow('is no whole backup')
})
