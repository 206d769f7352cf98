import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeNoise } from '@/lib/testing/images'
import {
  forgetPeakMemory,
  type ImageServer,
  peakMemory,
  startImageServer,
  uploadTo,
} from '../start-test-server'

const folder = mkdtempSync(join(tmpdir(), 'engine-memory-'))
let server: ImageServer
beforeAll(async () => {
  // The first start makes the database, which takes more memory than anything later.
  await (await startImageServer(folder)).kill()
  server = await startImageServer(folder)
})
afterAll(async () => {
  await server.kill()
  rmSync(folder, { recursive: true })
})

const MiB = 1024 * 1024
/** As the side of a square of noise: 9 MiB of PNG. */
const SIDE = 1774

describe('a server', () => {
  test('accepts 20 concurrent images of 9 MiB in less than 600 MiB, to the byte', async () => {
    const files = await Promise.all(Array.from({ length: 20 }, () => makeNoise(SIDE)))
    expect(files[0]?.length).toBeGreaterThan(9 * MiB)
    const responses = await Promise.all(
      files.map((file, at) => uploadTo(server, file, `noise-${at}`)),
    )
    expect(await peakMemory(server)).toBeLessThan(600)
    for (const [at, { status, body }] of responses.entries()) {
      expect(status).toBe(201)
      const { pathname } = new URL(body.data[0]?.uri ?? '')
      const response = await fetch(server.address + pathname)
      expect(Buffer.from(await response.arrayBuffer()).equals(files[at] as Buffer)).toBe(true)
    }
  })

  test('refuses a body of 300 MiB of unknown length in constant memory', async () => {
    await forgetPeakMemory(server)
    const before = await peakMemory(server)
    expect(await sendChunked(300 * MiB)).toBe(413)
    expect((await peakMemory(server)) - before).toBeLessThan(50)
    expect((await uploadTo(server, await makeNoise(10), 'after')).status).toBe(201)
  })
})

/** Returns the status of the first response, which may arrive before everything is sent. */
function sendChunked(bytes: number): Promise<number> {
  const outgoing = request(`${server.address}/api/images/upload`, {
    method: 'POST',
    headers: { ...server.headers, 'content-type': 'multipart/form-data; boundary=b' },
  })
  return new Promise((resolve, reject) => {
    outgoing.on('response', ({ statusCode }) => resolve(statusCode ?? 0)).on('error', reject)
    outgoing.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n')
    const chunk = Buffer.alloc(MiB, 'x')
    let left = bytes / MiB
    const write = () => {
      while (left > 0 && outgoing.write(chunk)) left--
      if (left-- > 0) outgoing.once('drain', write)
      else outgoing.end('\r\n--b--\r\n')
    }
    write()
  })
}
