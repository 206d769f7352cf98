import { beforeEach, describe, expect, test } from 'vitest'
import { makeImage } from '@/lib/testing/images'
import { imageApi, PROVIDERS } from '../testing/image-api'

const api = imageApi()
const { send, take, readBack } = api

const PNG = await makeImage('png', { width: 4, height: 3 })

describe.each(PROVIDERS)('kept at %s', (provider) => {
  beforeEach(async () => {
    await api.open(provider)
  })

  describe('an upload', () => {
    test('cleans names of what no address should hold', async () => {
      const image = await take(PNG, { namespace: '/Zürich & co/.x/', assetId: 'a b/ç?.png' })
      const suffix = '-[0-9a-f]{8}'
      expect(image.publicId).toMatch(
        new RegExp(`^Zürich---co${suffix}/-x${suffix}/a-b-ç-.png${suffix}$`),
      )
      expect(await readBack(image.uri)).not.toBeNull()
    })

    test('keeps names apart that only differ in what no address should hold', async () => {
      const names = ['photo 1', 'photo?1', 'photo-1', ' photo-1']
      const taken: { fileId: string }[] = []
      for (const assetId of names) taken.push(await take(PNG, { assetId }))
      expect(new Set(taken.map(({ fileId }) => fileId)).size).toBe(4)
      const again = await take(PNG, { assetId: 'photo 1' })
      expect(again.fileId).toBe(taken[0]?.fileId)
      const folders = [await take(PNG, { namespace: 'a b' }), await take(PNG, { namespace: 'a?b' })]
      expect(folders[0].folder).not.toBe(folders[1].folder)
    })

    test('replaces no image whose name was made from another text, unless that image is named', async () => {
      const image = await take(PNG, { namespace: 'a b', assetId: 'photo 1' })
      const [folder, assetId] = image.publicId.split('/')
      const literal = { namespace: folder, assetId }
      const refused = await send(PNG, literal)
      expect([refused.status, refused.body.error]).toEqual([
        409,
        expect.stringContaining('the image that was uploaded as "a b/photo 1"'),
      ])
      expect(await readBack(image.secureUri)).not.toBeNull()
      const meant = await take(PNG, { ...literal, replaces: image.fileId })
      expect(meant.fileId).toBe(image.fileId)
      expect((await send(PNG, literal)).status).toBe(409)
      const again = await take(PNG, { namespace: '/a b/', assetId: 'photo 1' })
      expect(again.fileId).toBe(image.fileId)
      await take(PNG, { namespace: 'other', assetId })
      expect((await send(PNG, { namespace: 'other', assetId: 'photo 1' })).status).toBe(409)
    })
  })
})
