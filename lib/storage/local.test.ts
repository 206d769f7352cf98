import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeNoise } from '@/lib/testing/images'
import { localStorage } from './local'
import { readLocalKey } from './local-key'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-local-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const NAME = { folder: 'a/b', name: 'boot', extension: 'png' }

test('a key is never given twice, and is one that can be read', () => {
  const { keyFor } = localStorage(folder)
  const keys = Array.from({ length: 100 }, () => keyFor(NAME))
  expect(new Set(keys).size).toBe(100)
  expect(keys.every((key) => readLocalKey(key)?.mediaType === 'image/png')).toBe(true)
})

test('the sweep takes what was left an hour ago, and nothing that may be in use', async () => {
  const storage = localStorage(folder)
  await mkdir(storage.temporary, { recursive: true })
  const hourAgo = new Date(Date.now() - 61 * 60_000)
  for (const name of ['old', 'young']) await writeFile(join(storage.temporary, name), name)
  await utimes(join(storage.temporary, 'old'), hourAgo, hourAgo)
  await storage.sweep()
  expect(await readdir(storage.temporary)).toEqual(['young'])
})

test('an upload leaves no temporary file, whether it is stored or not', async () => {
  const storage = localStorage(folder)
  const path = join(folder, 'image')
  await writeFile(path, 'bytes')
  const object = { ...NAME, path, labels: { tags: [], context: {} } }
  await storage.put({ ...object, key: storage.keyFor(NAME) })
  await writeFile(join(folder, 'objects', 'blocked'), 'a file where a folder should be')
  const key = storage.keyFor({ ...NAME, folder: 'blocked' })
  await expect(storage.put({ ...object, key })).rejects.toMatchObject({ code: 'upstream_failed' })
  expect(await readdir(storage.temporary)).toEqual([])
  expect(await storage.find(key)).toBeNull()
})

test('an object that is removed while its thumbnail is made has none', async () => {
  const storage = localStorage(folder)
  const path = join(folder, 'image')
  await writeFile(path, await makeNoise(400))
  const key = storage.keyFor(NAME)
  await storage.put({ ...NAME, key, path, labels: { tags: [], context: {} } })
  const found = [64, 128, 256, 512].map((width) =>
    storage.findThumbnail(key, { width, region: null }),
  )
  await storage.remove(key)
  expect(await Promise.all(found)).toContain(null)
  const names = await readdir(folder, { recursive: true })
  expect(names.filter((name) => name.includes('.png'))).toEqual([])
})

test('removing what is not there is no failure', async () => {
  const storage = localStorage(folder)
  await expect(storage.remove(storage.keyFor(NAME))).resolves.toBeUndefined()
  await expect(storage.remove('../../etc/passwd')).resolves.toBeUndefined()
})

test('shows whether something could be stored', async () => {
  await expect(localStorage(folder).check()).resolves.toBeUndefined()
  await writeFile(join(folder, 'file'), '')
  await expect(localStorage(join(folder, 'file')).check()).rejects.toMatchObject({
    code: 'upstream_failed',
  })
})
