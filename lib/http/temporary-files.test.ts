import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sweepTemporaryFiles, temporaryPath } from './temporary-files'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-sweep-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, ageMs: number): string {
  writeFileSync(path, 'x')
  const time = new Date(Date.now() - ageMs)
  utimesSync(path, time, time)
  return path
}

test('a sweep removes old uploads, and neither young ones nor what others put there', async () => {
  const old = write(join(folder, `upload-${crypto.randomUUID()}`), 61_000)
  const young = write(await temporaryPath(folder), 10_000)
  const foreign = write(join(folder, 'notes.txt'), 61_000)
  expect(await sweepTemporaryFiles(folder, 60_000)).toBe(1)
  expect([old, young, foreign].map(existsSync)).toEqual([false, true, true])
})

test('a sweep never removes an upload of this process, however long it waits', async () => {
  const waiting = write(await temporaryPath(folder), 3_600_000)
  expect(await sweepTemporaryFiles(folder, 60_000)).toBe(0)
  expect(existsSync(waiting)).toBe(true)
})

test('a folder that does not exist has nothing to sweep', async () => {
  expect(await sweepTemporaryFiles(join(folder, 'none'), 0)).toBe(0)
})
