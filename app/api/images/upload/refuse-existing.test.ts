import { beforeEach, describe, expect, test } from 'vitest'
import { makeImage } from '@/lib/testing/images'
import { imageApi, PROVIDERS } from '../testing/image-api'

const api = imageApi()
const { send, take, one, readBack, claims, storedObjects } = api

const PNG = await makeImage('png', { width: 4, height: 3 })
const OTHER = await makeImage('png', { width: 5, height: 2 })
const NAMED = { namespace: 'n', assetId: 'photo 1' }
const CAREFUL = { ...NAMED, ifExists: 'refuse' }

describe.each(PROVIDERS)('kept at %s', (provider) => {
  beforeEach(async () => {
    await api.open(provider)
  })

  describe('an upload that may not replace', () => {
    test('stores a new image, and is refused where there is one', async () => {
      const image = await take(PNG, CAREFUL)
      const stored = await readBack(image.uri)
      const refused = await send(OTHER, CAREFUL)
      expect(refused).toMatchObject({ status: 409, body: { meta: { existing: image.fileId } } })
      expect((await one('GET', image.fileId)).body.data).toEqual([image])
      expect(await readBack(image.uri)).toEqual(stored)
      expect(await storedObjects(provider)).toHaveLength(1)
      expect(await claims()).toEqual([])
    })

    test('replaces the image that it names', async () => {
      const { fileId } = await take(PNG, CAREFUL)
      const other = await take(PNG, { namespace: 'n', assetId: 'other' })
      expect(await send(OTHER, { ...CAREFUL, replaces: other.fileId })).toMatchObject({
        ...{ status: 409, body: { meta: { existing: fileId } } },
      })
      expect(await take(OTHER, { ...CAREFUL, replaces: fileId })).toMatchObject({
        ...{ fileId, width: 5 },
      })
    })

    test('is stored once when many come together', async () => {
      const sent = await Promise.all(
        [1, 2, 3, 4].map(async (width) => send(await makeImage('png', { width }), CAREFUL)),
      )
      const taken = sent.filter(({ status }) => status === 201)
      expect(sent.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
      const { uri, bytes } = taken[0]?.body.data[0] ?? {}
      expect((await readBack(uri))?.length).toBe(bytes)
    })
  })

  test('an upload that names another image than its own replaces neither', async () => {
    const { fileId } = await take(PNG, NAMED)
    const other = await take(PNG, { namespace: 'n', assetId: 'other' })
    const mixed = await send(OTHER, { ...NAMED, replaces: other.fileId })
    expect(mixed).toMatchObject({ status: 409, body: { meta: { existing: fileId } } })
    const free = await send(OTHER, { namespace: 'n', assetId: 'free', replaces: fileId })
    expect(free).toMatchObject({ status: 409, body: { error: /nothing was replaced/ } })
    expect(await take(PNG, { ...NAMED, ifExists: 'replace' })).toMatchObject({ fileId })
  })

  test('an upload replaces unless it says otherwise, and says it well', async () => {
    const { fileId } = await take(PNG, NAMED)
    expect(await take(OTHER, { ...NAMED, ifExists: 'replace' })).toMatchObject({ fileId })
    const wrong = await send(PNG, { ...NAMED, ifExists: 'ask' })
    expect(wrong).toMatchObject({
      ...{ status: 400, body: { validations: [{ field: 'ifExists' }] } },
    })
  })
})
