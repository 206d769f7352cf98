import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { fillFolder, holdsDatabase } from './pglite-folder'

const home = mkdtempSync(join(tmpdir(), 'engine-folder-'))
const folder = join(home, 'pglite')
afterAll(() => rmSync(home, { recursive: true }))
beforeEach(() => rmSync(folder, { recursive: true, force: true }))

async function make(draft: string): Promise<void> {
  mkdirSync(join(draft, 'base'), { recursive: true })
  writeFileSync(join(draft, 'PG_VERSION'), '17')
  writeFileSync(join(draft, 'base', '1'), 'table')
  writeFileSync(join(draft, 'pg_hba.conf'), 'trust')
}

const died = () => Promise.reject(new Error('The process ended'))

test('a folder whose filling ended early has no database, and is filled the next time', async () => {
  await expect(fillFolder(folder, async (draft) => make(draft).then(died))).rejects.toThrow('ended')
  expect(holdsDatabase(folder)).toBe(false)
  await fillFolder(folder, make)
  expect(readdirSync(folder).sort()).toEqual(['PG_VERSION', 'base', 'pg_hba.conf'])
})

test('what an earlier attempt moved is replaced, and what others put there stays', async () => {
  mkdirSync(join(folder, 'base'), { recursive: true })
  writeFileSync(join(folder, 'base', 'half'), '')
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  expect(holdsDatabase(folder)).toBe(false)
  await fillFolder(folder, make)
  expect(readdirSync(join(folder, 'base'))).toEqual(['1'])
  expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine')
  expect(holdsDatabase(folder)).toBe(true)
})
