import { beforeEach, describe, expect, test } from 'vitest'
import { settleDueObjects } from '@/lib/images/settle-object'
import { cloudinaryStorage } from '@/lib/storage/cloudinary'
import { guarded } from '@/lib/storage/guarded'
import type { Fault } from '@/lib/testing/fake-cloudinary'
import { makeImage } from '@/lib/testing/images'
import { api, deps, PNG } from '../testing/outages'

const { send, take, one, claims, makeClaimsDue, storedObjects } = api

const OTHER = await makeImage('png', { width: 5, height: 2 })

describe('while Cloudinary fails', () => {
  beforeEach(async () => {
    await api.open('cloudinary')
    waitAtMost(20_000)
  })

  const waitAtMost = (timeoutMs: number) => {
    const current = guarded(cloudinaryStorage(api.fake.url, { timeoutMs }))
    deps.storage = { ...deps.storage, current, of: () => current }
  }

  const twice = (fault: Fault): Fault[] => [fault, fault]

  test('what arrived unseen is removed later', async () => {
    api.fake.fail(...twice('reset after'))
    expect(await send(PNG)).toMatchObject({ status: 502 })
    expect(await storedObjects('cloudinary')).toHaveLength(1)
    await settleDueObjects(deps)
    expect(await storedObjects('cloudinary')).toHaveLength(1)
    await makeClaimsDue()
    await settleDueObjects(deps)
    expect(await storedObjects('cloudinary')).toEqual([])
    expect(await claims()).toEqual([])
  })

  test('the image later describes a replacement that arrived unnoticed', async () => {
    const before = await take(PNG, { assetId: 'a' })
    api.fake.fail(...twice('reset after'))
    expect(await send(OTHER, { assetId: 'a' })).toMatchObject({ status: 502 })
    await makeClaimsDue()
    await settleDueObjects(deps)
    const [after] = (await one('GET', before.fileId)).body.data
    expect(after).toMatchObject({ fileId: before.fileId, width: 5, height: 2 })
    expect(await claims()).toEqual([])
  })

  test('a deleted image is gone immediately, and its object as soon as that works', async () => {
    const image = await take(PNG)
    api.fake.fail(...twice('error'))
    expect(await one('DELETE', image.fileId)).toMatchObject({ status: 200 })
    expect(await one('GET', image.fileId)).toMatchObject({ status: 404 })
    expect(await storedObjects('cloudinary')).toHaveLength(1)
    await makeClaimsDue()
    await settleDueObjects(deps)
    expect(await storedObjects('cloudinary')).toEqual([])
  })

  test('tags stay as they were', async () => {
    const image = await take(PNG, { options: '{"tags":["a"]}' })
    api.fake.fail(...twice('error'))
    expect(await one('PATCH', image.fileId, { tags: ['b'] })).toMatchObject({ status: 502 })
    expect((await one('GET', image.fileId)).body.data[0].tags).toEqual(['a'])
    expect(api.fake.objects.get(image.publicId)?.tags).toEqual(['a'])
  })
})

describe('images of a provider that is not set up any more', () => {
  test('are listed, and stay until it is', async () => {
    await api.open('cloudinary')
    const image = await take(PNG)
    const { storage } = deps
    deps.storage = { ...storage, of: () => null }
    expect(await one('GET', image.fileId)).toMatchObject({ status: 200 })
    expect(await one('DELETE', image.fileId)).toMatchObject({ status: 503 })
    expect(await one('PATCH', image.fileId, { tags: ['a'] })).toMatchObject({ status: 503 })
    deps.storage = storage
    expect(await one('DELETE', image.fileId)).toMatchObject({ status: 200 })
  })
})
