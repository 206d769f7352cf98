import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { thumbnailUri } from '@/lib/images/framing-contract'
import { currentDeps } from '@/lib/testing/deps'
import { makeAnimation, makeImage, makeNoise } from '@/lib/testing/images'
import { imageApi } from '../../testing/image-api'
import { GET, HEAD, POST } from './route'

const deps = currentDeps()
const api = imageApi()
const { take, one } = api
beforeEach(async () => {
  await api.open('local')
})

const BASE = 'http://test.local/api/images/files/'
const get = (uri: string, headers: Record<string, string> = {}, handler = GET) =>
  handler(new Request(uri, { headers }), { params: Promise.resolve({}) })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe('an image on the disk', () => {
  test('is served to anyone, as what it is, and can do nothing', async () => {
    const image = await take(await makeImage('jpeg'))
    const response = await get(image.secureUri)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(image.bytes),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[0-9a-f]{24}"$/),
    })
    expect((await bytesOf(response)).length).toBe(image.bytes)
  })

  test('is not sent again to who has it', async () => {
    const { uri } = await take(await makeImage('png'))
    const etag = (await get(uri, {}, HEAD)).headers.get('etag') ?? ''
    for (const known of [etag, `"other", W/${etag}`, '*']) {
      const response = await get(uri, { 'if-none-match': known })
      expect({ status: response.status, body: await response.text() }).toEqual({
        ...{ status: 304, body: '' },
      })
    }
    expect(await get(uri, { 'if-none-match': '"other"' })).toMatchObject({ status: 200 })
  })

  test.each([
    ['bytes=0-9', 206, [0, 9]],
    ['bytes=10-', 206, [10, -1]],
    ['bytes=-7', 206, [-7, -1]],
    ['bytes=0-999999', 206, [0, -1]],
    ['bytes=-999999', 206, [0, -1]],
    ['bytes=0-1,4-5', 200, [0, -1]],
    ['bytes=9-2', 200, [0, -1]],
    ['pages=1-2', 200, [0, -1]],
    ['bytes=999999-', 416, null],
    ['bytes=-0', 416, null],
  ] as const)('with the range "%s" is %i', async (range, status, place) => {
    const { uri, bytes } = await take(await makeImage('png'))
    const whole = await bytesOf(await get(uri))
    const response = await get(uri, { range })
    expect(response.status).toBe(status)
    if (!place) {
      expect(response.headers.get('content-range')).toBe(`bytes */${bytes}`)
      return
    }
    const [from, to] = place.map((at) => (at < 0 ? bytes + at : at)) as [number, number]
    expect(await bytesOf(response)).toEqual(whole.subarray(from, to + 1))
    expect(response.headers.get('content-length')).toBe(String(to - from + 1))
    const contentRange = status === 206 ? `bytes ${from}-${to}/${bytes}` : null
    expect(response.headers.get('content-range')).toBe(contentRange)
  })

  test('of another version than the caller has is sent whole', async () => {
    const { uri } = await take(await makeImage('png'))
    const etag = (await get(uri)).headers.get('etag') ?? ''
    const range = 'bytes=0-1'
    expect(await get(uri, { range, 'if-range': etag })).toMatchObject({ status: 206 })
    expect(await get(uri, { range, 'if-range': '"other"' })).toMatchObject({ status: 200 })
  })

  test('responds to HEAD without a body', async () => {
    const { uri, bytes } = await take(await makeImage('png'))
    const response = await get(uri, {}, HEAD)
    expect(response.headers.get('content-length')).toBe(String(bytes))
    expect(await response.text()).toBe('')
  })

  test('is changed by no method of this address', async () => {
    const { uri } = await take(await makeImage('png'))
    expect(await get(uri, {}, POST)).toMatchObject({ status: 405 })
  })
})

describe('what is no image of ours', () => {
  const VERSION = '0123456789abcdef01234567'
  test.each([
    'nothing.png',
    `nothing.${VERSION}.png`,
    `..%2f..%2fsecret.${VERSION}.png`,
    `%2e%2e/%2e%2e/secret.${VERSION}.png`,
    `..%5c..%5csecret.${VERSION}.png`,
    `%2fetc/passwd.${VERSION}.png`,
    `a%00b.${VERSION}.png`,
    `secret.${VERSION}.html`,
    `secret.${VERSION}.svg`,
    `linked.${VERSION}.png`,
    `.hidden.${VERSION}.png`,
    '%',
    '%ff',
    '',
    'x'.repeat(5000),
  ])('%s is 404', async (path) => {
    const folder = join(deps.settings.DATA_DIR, 'images')
    await mkdir(join(folder, 'objects'), { recursive: true })
    const secret = join(deps.settings.DATA_DIR, `secret.${VERSION}.png`)
    await writeFile(secret, 'secret')
    for (const extension of ['html', 'svg'])
      await writeFile(join(folder, 'objects', `secret.${VERSION}.${extension}`), 'secret')
    await writeFile(join(folder, 'objects', `.hidden.${VERSION}.png`), 'secret')
    await symlink(secret, join(folder, 'objects', `linked.${VERSION}.png`))
    const response = await get(`${BASE}${path}`)
    expect(response.status).toBe(404)
    expect(await response.text()).not.toBe('secret')
  })
})

describe('a thumbnail', () => {
  test('is as wide as asked for, upright, and made once', async () => {
    const sent = await makeImage('jpeg', { width: 600, height: 300, orientation: 6 })
    const image = await take(sent)
    const uri = thumbnailUri(image, 64)
    const responses = await Promise.all([get(uri), get(uri), get(uri)])
    const [first, ...more] = await Promise.all(responses.map(bytesOf))
    expect(await sharp(first).metadata()).toMatchObject({ format: 'webp', width: 64, height: 128 })
    expect(more).toEqual([first, first])
    expect(responses[0]?.headers.get('content-type')).toBe('image/webp')
    expect(responses[0]?.headers.get('etag')).not.toBe((await get(image.uri)).headers.get('etag'))
    expect(await thumbnails()).toHaveLength(1)
  })

  test('is never wider than the image', async () => {
    const image = await take(await makeImage('png', { width: 40, height: 30 }))
    const response = await get(thumbnailUri(image, 1024))
    expect(await sharp(await bytesOf(response)).metadata()).toMatchObject({ width: 40 })
  })

  test('of an animation is its first frame', async () => {
    const image = await take(await makeAnimation('gif', { width: 100, height: 50 }))
    const { pages = 1, width } = await sharp(
      await bytesOf(await get(thumbnailUri(image, 64))),
    ).metadata()
    expect({ pages, width }).toEqual({ pages: 1, width: 64 })
  })

  test.each([
    ...['w=63', 'w=0', 'w=-64', 'w=', 'w=64&w=128', 'width=64', 'w=64&h=64', 'aspect=1:1', 'v=0'],
    ...['w=64&aspect=2:1', 'w=64&aspect=', 'w=64&v=', 'w=64&v=a.b', `w=64&v=${'a'.repeat(61)}`],
  ])('with "%s" is 400', async (query) => {
    const image = await take(await makeImage('png'))
    expect(await get(`${image.uri}?${query}`)).toMatchObject({ status: 400 })
  })

  test('is cached permanently where its address says what it shows, else for a minute', async () => {
    const image = await take(await makeImage('png'))
    const cachedAt = async (uri: string) => (await get(uri)).headers.get('cache-control')
    const [minute, permanently] = ['public, max-age=60', 'public, max-age=31536000, immutable']
    expect(await cachedAt(thumbnailUri(image, 64))).toBe(permanently)
    expect(await cachedAt(`${image.uri}?w=64`)).toBe(minute)
    const focalPoint = { x: 0, y: 0 }
    await one('PATCH', image.fileId, { focalPoint })
    expect(await cachedAt(thumbnailUri(image, 64))).toBe(minute)
    expect(await cachedAt(thumbnailUri({ ...image, focalPoint }, 64))).toBe(permanently)
    expect(await cachedAt(image.uri)).toBe(permanently)
  })

  test('goes with its image', async () => {
    const image = await take(await makeNoise(80))
    await get(thumbnailUri(image, 64))
    await one('DELETE', image.fileId)
    expect(await get(thumbnailUri(image, 64))).toMatchObject({ status: 404 })
    expect(await thumbnails()).toEqual([])
  })

  test('of an image at Cloudinary is made there', () => {
    const secureUri = 'https://res.cloudinary.com/demo/image/upload/v1/n/a.png'
    expect(thumbnailUri({ secureUri }, 256)).toBe(
      'https://res.cloudinary.com/demo/image/upload/c_limit,w_256/f_auto,q_auto/v1/n/a.png',
    )
  })

  const thumbnails = async () => {
    const folder = join(deps.settings.DATA_DIR, 'images', 'thumbnails')
    const all = await readdir(folder, { recursive: true, withFileTypes: true })
    return all.filter((entry) => entry.isFile())
  }
})
