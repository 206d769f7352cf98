import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileStream } from './file-response'

const folder = mkdtempSync(join(tmpdir(), 'engine-stream-'))
const path = join(folder, 'file')
beforeAll(() => writeFileSync(path, 'abcdef'))
afterAll(() => rmSync(folder, { recursive: true }))

const read = (stream: ReadableStream<Uint8Array>) => new Response(stream).text()

/** How many descriptors of this process are open on `target`. */
function openHandles(target: string): number {
  const linked = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return '' // the descriptor that lists the folder
    }
  })
  return linked.filter((link) => link === target).length
}

const onLinux = test.skipIf(process.platform !== 'linux')

test('a part of a file is read, both ends included', async () => {
  expect(await read(fileStream(path, 1, 3))).toBe('bcd')
})

onLinux('a file that ends early errors and is closed', async () => {
  await expect(read(fileStream(path, 0, 100))).rejects.toThrow('shorter')
  expect(openHandles(path)).toBe(0)
})

onLinux('a handle is closed when a read fails', async () => {
  await expect(read(fileStream(folder, 0, 100))).rejects.toMatchObject({ code: 'EISDIR' })
  expect(openHandles(folder)).toBe(0)
})
