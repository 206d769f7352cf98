import { readdir } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRemote } from '@/lib/remote/open-remote'
import { currentDeps } from '@/lib/testing/deps'
import { makeImage } from '@/lib/testing/images'
import { listen } from '@/lib/testing/listen'
import { call } from '@/lib/testing/request'
import { imageApi, PROVIDERS } from '../testing/image-api'
import { POST } from './route'

const deps = currentDeps()
const api = imageApi()
const PNG = await makeImage('png', { width: 40, height: 30 })

let close = () => {}
afterEach(() => close())

/** A server on this machine, which the server under test may connect to. */
async function serve(respond: RequestListener): Promise<string> {
  const server = await listen(createServer(respond))
  close = server.close
  deps.remote = openRemote({ isAllowed: () => true })
  return `http://127.0.0.1:${server.port}`
}

const send = (body: object, as: string[] | string = 'EDITOR', scopes?: string[]) =>
  call(deps, POST, { method: 'POST', path: '/api/images/upload-from-address', body, as, scopes })

const waiting = () => readdir(deps.storage.local.temporary).catch(() => [])

describe.each(PROVIDERS)('kept at %s', (provider) => {
  beforeEach(async () => {
    await api.open(provider)
  })

  test('an image of another server is uploaded as one that was sent', async () => {
    const base = await serve((_, response) => response.end(PNG))
    const options = { tags: ['red'], context: { alt: 'A boot' } }
    const url = `${base}/pictures/red%20boot.png?size=1`
    const taken = await send({ url, namespace: 'shop', options })
    expect(taken).toMatchObject({ status: 201, body: { code: 201, status: 'CREATED' } })
    const [image] = taken.body.data
    expect(image).toMatchObject({ name: 'red boot.png', folder: 'shop', width: 40, ...options })
    expect(await api.readBack(image.uri)).not.toBeNull()
    expect((await api.listed()).body.data).toEqual([image])
    const again = await send({ url, namespace: 'shop', assetId: 'copy' })
    expect(again.body.meta).toEqual({ duplicateOf: image.fileId })
    expect(await waiting()).toEqual([])
  })

  test('an image of the same name is replaced', async () => {
    const before = await api.take(await makeImage('png', { width: 9 }), { assetId: 'a' })
    const base = await serve((_, response) => response.end(PNG))
    const [after] = (await send({ url: base, assetId: 'a' })).body.data
    expect(after).toMatchObject({ fileId: before.fileId, width: 40 })
  })
})

describe('what is refused leaves nothing behind', () => {
  beforeEach(async () => {
    await api.open('local')
    deps.settings = { ...deps.settings, MAX_IMAGE_BYTES: 20_000 }
  })
  afterEach(async () => {
    expect(await waiting()).toEqual([])
    expect(await api.storedObjects('local')).toEqual([])
  })

  test.each<[string, number, RequestListener]>([
    ['no image', 415, (_, response) => response.end('<html>inside the network</html>')],
    ['damaged', 400, (_, response) => response.end(PNG.subarray(0, -20))],
    ['empty', 415, (_, response) => response.end()],
    ['stated too large', 413, (_, response) => response.end(Buffer.alloc(20_001))],
    [
      'too large without a stated size',
      413,
      (_, response) => {
        response.write(Buffer.alloc(15_000))
        response.end(Buffer.alloc(15_000))
      },
    ],
    ['not found there', 502, (_, response) => response.writeHead(404).end('inside the network')],
    [
      'cut off',
      502,
      (_, response) => {
        response.writeHead(200, { 'Content-Length': '9000' }).write(PNG.subarray(0, 100))
        setImmediate(() => response.destroy())
      },
    ],
  ])('what is %s is %i, and none of it is shown', async (_, status, respond) => {
    const base = await serve(respond)
    const refused = await send({ url: base })
    expect(refused.status).toBe(status)
    expect(refused.text).not.toContain('inside')
  })

  test('a key of the context that objects have', async () => {
    const base = await serve((_, response) => response.end(PNG))
    const options = { context: JSON.parse('{"__proto__":"x","alt":"y"}') }
    const refused = await send({ url: base, options })
    expect(refused).toMatchObject({ status: 400 })
    expect(refused.body.validations).toEqual([
      { field: 'options.context.__proto__', error: 'A key must not be "__proto__"' },
    ])
  })

  test('an address of this machine or its network', async () => {
    await serve((_, response) => response.end(PNG))
    deps.remote = openRemote()
    for (const host of ['127.0.0.1', 'localhost', '169.254.169.254', '10.0.0.1', '[fd00::1]']) {
      const refused = await send({ url: `http://${host}:8080/` })
      expect(refused).toMatchObject({ status: 400 })
      expect(refused.body.validations).toEqual([
        { field: 'url', error: 'Is not on the public internet' },
      ])
    }
  })

  test.each([
    ['no address', {}, 'url'],
    ['no text', { url: 7 }, 'url'],
    ['a folder with a way up', { url: 'https://example.com', namespace: '..' }, 'namespace'],
    ['bad tags', { url: 'https://example.com', options: { tags: ['a,b'] } }, 'options.tags.0'],
    ['unknown', { url: 'https://example.com', headers: {} }, 'headers'],
  ])('%s', async (_, body, field) => {
    const refused = await send(body)
    expect(refused.status).toBe(400)
    expect(refused.body.validations[0].field).toBe(field)
  })

  test('callers who may not upload', async () => {
    const url = 'https://example.com'
    expect(await send({ url }, 'VIEWER')).toMatchObject({ status: 403 })
    expect(await send({ url }, 'ADMIN', ['images:read'])).toMatchObject({ status: 403 })
  })
})
