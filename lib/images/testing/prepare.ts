import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { prepareImage } from '../prepare-image'

const folder = mkdtempSync(join(tmpdir(), 'engine-prepare-'))
afterAll(() => rmSync(folder, { recursive: true }))

const MAX_PIXELS = 50_000_000

/** The image of a file, and the bytes that are stored; nothing is, when it is refused. */
export async function prepare(bytes: Uint8Array | string, maxPixels = MAX_PIXELS) {
  const from = join(folder, crypto.randomUUID())
  const to = join(folder, crypto.randomUUID())
  await writeFile(from, bytes)
  try {
    const image = await prepareImage(from, to, maxPixels)
    return { image, stored: await readFile(to) }
  } catch (error) {
    expect(existsSync(to)).toBe(false)
    throw error
  }
}
