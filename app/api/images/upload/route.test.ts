import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  IMAGE_FORMATS,
  type ImageFormat,
  makeAnimation,
  makeImage,
  pixelsOf,
  SECRET,
} from '@/lib/testing/images'
import { imageApi, PROVIDERS } from '../testing/image-api'

const api = imageApi()
const { send, take, readBack } = api

const PNG = await makeImage('png', { width: 4, height: 3 })
const FILE_TYPES = { png: 'png', jpeg: 'jpg', gif: 'gif', webp: 'webp', avif: 'avif' } as const

describe.each(PROVIDERS)('kept at %s', (provider) => {
  beforeEach(async () => {
    await api.open(provider)
  })

  describe('an upload', () => {
    test('returns the image record', async () => {
      const { status, body } = await send(PNG, {
        namespace: 'shop/shoes',
        assetId: 'red-boot',
        options: JSON.stringify({ tags: ['red', 'boot'], context: { alt: 'A boot' } }),
      })
      expect({ status, code: body.code, name: body.status }).toEqual({
        ...{ status: 201, code: 201, name: 'CREATED' },
      })
      const [image] = body.data
      const stored = await readBack(image.secureUri)
      expect(image).toEqual({
        fileId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        id: expect.stringMatching(provider === 'local' ? /^[0-9a-f]{24}$/ : /^[0-9a-f]{32}$/),
        publicId: 'shop/shoes/red-boot',
        name: 'red-boot',
        mediaType: 'image/png',
        uri: expect.stringMatching(/^http.*shop\/shoes\/red-boot.*\.png$/),
        secureUri: expect.stringMatching(/^http.*shop\/shoes\/red-boot.*\.png$/),
        bytes: stored?.length,
        format: 'png',
        folder: 'shop/shoes',
        width: 4,
        height: 3,
        tags: ['red', 'boot'],
        context: { alt: 'A boot' },
        crop: null,
        focalPoint: null,
        persistenceId: image.fileId,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      })
      expect(body.meta).toEqual({})
    })

    test('needs nothing but the file', async () => {
      const image = await take(PNG)
      expect(image).toMatchObject({ folder: '', tags: [], context: {}, name: 'any name.png' })
      expect(image.publicId).toMatch(/^[0-9a-f]{20}$/)
      expect(await readBack(image.uri)).not.toBeNull()
    })

    test('takes folder and filename for namespace and assetId', async () => {
      const image = await take(PNG, { folder: 'a/b', filename: 'c.d' })
      expect(image).toMatchObject({ folder: 'a/b', publicId: 'a/b/c.d', name: 'c.d' })
    })

    test.each(IMAGE_FORMATS)('takes a %s in without its metadata', async (format: ImageFormat) => {
      const sent = await makeImage(format, { width: 40, height: 30 })
      const image = await take(sent, { assetId: format })
      const extension = FILE_TYPES[format]
      expect(image).toMatchObject({ mediaType: `image/${format}`, format: extension, width: 40 })
      const stored = (await readBack(image.uri)) as Buffer
      expect(stored.includes(SECRET)).toBe(false)
      expect(await pixelsOf(stored)).toEqual(await pixelsOf(sent))
    })

    test('returns the displayed size of a rotated picture', async () => {
      const sent = await makeImage('jpeg', { width: 40, height: 30, orientation: 8 })
      expect(await take(sent)).toMatchObject({ width: 30, height: 40 })
    })

    test('keeps all frames of an animation', async () => {
      const image = await take(await makeAnimation('gif', { frames: 4 }))
      expect(image).toMatchObject({ width: 20, height: 10 })
      const stored = (await readBack(image.uri)) as Buffer
      expect((await sharp(stored).metadata()).pages).toBe(4)
    })

    test('keeps separators of context apart from its content', async () => {
      const context = { rule: 'a=b|c=d\\e', Größe_1: 'x & y\n"z"' }
      const image = await take(PNG, { options: JSON.stringify({ context }) })
      expect(image.context).toEqual(context)
      const held = api.fake.objects.get(image.publicId)
      if (provider === 'cloudinary') expect(held?.context).toEqual(context)
    })
  })
})
