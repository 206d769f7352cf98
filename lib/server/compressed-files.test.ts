import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { CompressedFiles } from './compressed-files'

const folder = mkdtempSync(join(tmpdir(), 'engine-static-'))
mkdirSync(join(folder, 'chunks'))
writeFileSync(join(folder, 'chunks/a.js.br'), brotliCompressSync('run()'))
writeFileSync(join(folder, 'secret'), 'no')

async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const files = new CompressedFiles(folder)
  const server = createServer((request, response) => {
    if (!files.serve(request, response)) response.writeHead(404).end()
  }).listen(0)
  const { port } = server.address() as AddressInfo
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, method })
    return { response, text: await response.text() }
  } finally {
    server.close()
  }
}

test('a script comes as Brotli to whoever takes it, and is kept for good', async () => {
  const { response, text } = await get('/_next/static/chunks/a.js?v=1', {
    'accept-encoding': 'gzip, br',
  })
  expect(text).toBe('run()')
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'application/javascript; charset=UTF-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  })
})

test.each([
  ['without Brotli', '/_next/static/chunks/a.js', { 'accept-encoding': 'gzip' }, 'GET'],
  [
    'of a part',
    '/_next/static/chunks/a.js',
    { 'accept-encoding': 'br', range: 'bytes=0-1' },
    'GET',
  ],
  ['of its headers', '/_next/static/chunks/a.js', { 'accept-encoding': 'br' }, 'HEAD'],
  [
    'for a file that was not compressed',
    '/_next/static/secret',
    { 'accept-encoding': 'br' },
    'GET',
  ],
  ['beyond the folder', '/_next/static/chunks/%2e%2e/secret', { 'accept-encoding': 'br' }, 'GET'],
])('a request %s is left to others', async (_, path, headers, method) => {
  expect((await get(path, headers, method)).response.status).toBe(404)
})
