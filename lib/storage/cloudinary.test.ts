import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FakeCloudinary, startFakeCloudinary } from '@/lib/testing/fake-cloudinary'
import { makeImage } from '@/lib/testing/images'
import { cloudinaryStorage } from './cloudinary'
import { readCloudinaryUrl } from './cloudinary-account'
import { readResponse } from './cloudinary-calls'

const folder = mkdtempSync(join(tmpdir(), 'engine-cloudinary-'))
const path = join(folder, 'image.png')
let fake: FakeCloudinary
beforeAll(async () => {
  writeFileSync(path, await makeImage('png'))
  fake = await startFakeCloudinary()
})
afterAll(async () => {
  await fake.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  fake.objects.clear()
  fake.requests.length = 0
})

const RESPONSE = {
  asset_id: 'b5e6d2b39ba3e0869d67141ba7dba6cf',
  public_id: 'shop/boot',
  url: 'http://res.cloudinary.com/cloud/image/upload/v1/shop/boot.png',
  secure_url: 'https://res.cloudinary.com/cloud/image/upload/v1/shop/boot.png',
  ...{ bytes: 1, width: 1, height: 1, format: 'png' },
}

const object = {
  key: 'shop/boot',
  folder: 'shop',
  name: 'boot',
  extension: 'png',
  path,
  labels: { tags: ['a', 'b c'], context: { alt: 'x=1|y=2 & more', größe: 'L' } },
}

describe('what is sent to Cloudinary', () => {
  test('is signed, names folder and public id, and replaces what is there', async () => {
    await cloudinaryStorage(fake.url).put(object)
    const [request] = fake.requests
    expect(request).toEqual({
      action: 'image/upload',
      fields: {
        folder: 'shop',
        public_id: 'boot',
        overwrite: '1',
        invalidate: '1',
        unique_filename: '0',
        type: 'upload',
        tags: 'a,b c',
        context: 'alt=x\\=1\\|y\\=2 & more|größe=L',
        timestamp: expect.stringMatching(/^\d{10}$/),
        api_key: expect.any(String),
        signature: expect.stringMatching(/^[0-9a-f]{40}$/),
      },
    })
    expect(fake.objects.get('shop/boot')).toMatchObject({ context: object.labels.context })
  })

  test('with another secret is refused, and the secret is in no message', async () => {
    const url = fake.url.replace(/:[^:@]*@/, ':another-secret@')
    const failure = await cloudinaryStorage(url)
      .put(object)
      .catch((error) => error)
    expect(failure).toMatchObject({ code: 'upstream_failed' })
    expect(failure.cause.message).toContain('Invalid Signature')
    expect(`${failure.message} ${failure.cause.message}`).not.toContain('another-secret')
    expect(fake.objects.size).toBe(0)
  })

  test('without folder or labels has none of their fields', async () => {
    const labels = { tags: [], context: {} }
    await cloudinaryStorage(fake.url).put({ ...object, key: 'boot', folder: '', labels })
    expect(Object.keys(fake.requests[0]?.fields ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(folder|tags|context)$/)]),
    )
  })
})

describe('what Cloudinary reports', () => {
  test('of an object is its size, format and addresses', async () => {
    const storage = cloudinaryStorage(fake.url)
    const addresses = await storage.put(object)
    expect(await storage.describe('shop/boot')).toMatchObject({
      ...addresses,
      ...{ width: 40, height: 30, format: 'png' },
    })
    expect(await storage.describe('shop/shoe')).toBeNull()
  })

  test.each([
    ['secure_url', 'javascript:alert(1)'],
    ['url', 'javascript:alert(1)'],
    ['secure_url', 'https://images.example.com/a.png'],
    ['url', 'http://images.example.com/a.png'],
    ['secure_url', 'https://cloudinary.com.example.com/a.png'],
    ['secure_url', 'http://res.cloudinary.com/cloud/image/upload/a.png'],
  ])('is refused with %s %s', (field, address) => {
    const account = readCloudinaryUrl('cloudinary://key:secret@cloud')
    expect(() => readResponse({ ...RESPONSE, [field]: address }, account, 'shop/boot')).toThrow(
      expect.objectContaining({ code: 'upstream_failed' }),
    )
  })

  test.each([
    ['cloudinary://key:secret@cloud', RESPONSE.secure_url],
    ['cloudinary://key:secret@cloud', 'https://cloud-res.cloudinary.com/image/upload/a.png'],
    [
      'cloudinary://key:secret@cloud?secure_distribution=img.example.com',
      'https://img.example.com/a.png',
    ],
  ])('from %s may be delivered at %s', (url, secure_url) => {
    const account = readCloudinaryUrl(url)
    const facts = readResponse({ ...RESPONSE, secure_url }, account, 'shop/boot')
    expect(facts).toMatchObject({ assetId: RESPONSE.asset_id, secureUri: secure_url })
  })

  test('of an object that is gone already is no failure', async () => {
    const storage = cloudinaryStorage(fake.url)
    await storage.put(object)
    await storage.remove('shop/boot')
    await storage.remove('shop/boot')
    expect(fake.objects.size).toBe(0)
  })

  test('shows whether it can be reached', async () => {
    await expect(cloudinaryStorage(fake.url).check()).resolves.toBeUndefined()
    fake.fail('refuse')
    await expect(cloudinaryStorage(fake.url).check()).rejects.toMatchObject({
      code: 'upstream_failed',
    })
  })
})

test.each([
  ['cloudinary://key:secret@cloud', 'https://api.cloudinary.com'],
  ['cloudinary://key:secret@cloud?upload_prefix=http://127.0.0.1:1/', 'http://127.0.0.1:1'],
])('%s names account and API', (url, upload_prefix) => {
  expect(readCloudinaryUrl(url)).toEqual({
    ...{ cloud_name: 'cloud', api_key: 'key', api_secret: 'secret', upload_prefix },
  })
})

test.each(['cloudinary://', 'cloudinary://cloud', 'cloudinary://key@cloud', 'nonsense'])(
  '%s is refused',
  (url) => {
    expect(() => readCloudinaryUrl(url)).toThrow('CLOUDINARY_URL must look like')
  },
)
