import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import { readArchive } from './zip/read-archive'

/** yauzl's test archives, kept beside the project where they are at hand. */
const ROOT = ['../../../../shared', '../../../../../shared']
  .map((parent) => fileURLToPath(new URL(`${parent}/corpora/zip-yauzl`, import.meta.url)))
  .find(existsSync)

const archivesIn = (folder: string): string[] => {
  const path = ROOT && join(ROOT, folder)
  if (!path || !existsSync(path)) return []
  return readdirSync(path)
    .filter((name) => name.endsWith('.zip'))
    .map((name) => join(path, name))
}

/** Sound archives that we do not want, and why. */
const UNWANTED: Record<string, string> = {
  'bogus-compression-method.zip': 'is packed by method 7',
  'sloppy-filenames.zip': 'has a backslash in its path',
  'traditional-encryption-and-compression.zip': 'is encrypted',
  'traditional-encryption-and-compression_deprecated.zip': 'is encrypted',
  'traditional-encryption.zip': 'is encrypted',
  'traditional-encryption_deprecated.zip': 'is encrypted',
  'unicode-path-extra-field.zip': 'has an extra field twice',
}

const read = (path: string) => readArchive(readFileSync(path), parseEnv({}))

const good = archivesIn('success').filter((path) => !(basename(path) in UNWANTED))
const unwanted = archivesIn('success').filter((path) => basename(path) in UNWANTED)
const broken = [...archivesIn('failure'), ...archivesIn('wrong-entry-sizes')]

describe('the corpus', () => {
  test(`has ${good.length} good, ${unwanted.length} unwanted and ${broken.length} broken archives here`, () => {
    if (ROOT) expect([good, unwanted, broken].every(({ length }) => length > 0)).toBe(true)
  })

  for (const path of good) {
    test(`reads ${basename(path)} as another reader does`, async () => {
      const files = await read(path)
      const zip = await JSZip.loadAsync(readFileSync(path), { checkCRC32: true })
      const expected = Object.values(zip.files).filter(({ dir }) => !dir)
      expect(files.map((file) => file.path)).toEqual(expected.map(({ name }) => name))
      for (const [index, { bytes }] of files.entries())
        expect(bytes).toEqual(await expected[index]?.async('uint8array'))
    })
  }

  for (const path of unwanted) {
    test(`does not want ${basename(path)}`, async () => {
      const why = expect.stringContaining(String(UNWANTED[basename(path)]))
      await expect(read(path)).rejects.toMatchObject({ name: 'AppError', message: why })
    })
  }

  for (const path of broken) {
    test(`refuses ${basename(path)}`, async () => {
      await expect(read(path)).rejects.toMatchObject({
        name: 'AppError',
        code: expect.stringMatching(/^(invalid_input|too_large)$/),
      })
    })
  }
})
