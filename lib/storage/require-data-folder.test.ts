import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { requireDataFolder } from './require-data-folder'

const folder = mkdtempSync(join(tmpdir(), 'engine-folder-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a data folder that is missing is made, and nothing is left in it', async () => {
  await requireDataFolder(join(folder, 'new', 'data'))
  expect(readdirSync(join(folder, 'new', 'data'))).toEqual([])
})

test.runIf(existsSync('/proc/self'))('a data folder that no system makes is refused', async () => {
  const refused = requireDataFolder('/proc/engine/data')
  await expect(refused).rejects.toThrow(/^DATA_DIR: .+ no folder can be made there/)
})

test.each([
  ['below a file', 'file/data', 'no folder'],
  ['that is a file', 'file', 'no folder'],
])('a data folder %s is refused by the name of its setting', async (_, path, reason) => {
  writeFileSync(join(folder, 'file'), '')
  const refused = requireDataFolder(join(folder, path))
  await expect(refused).rejects.toThrow(/^DATA_DIR: .+ can't be written/)
  await expect(refused).rejects.toThrow(reason)
})
