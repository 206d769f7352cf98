import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { settleDueObjects } from '@/lib/images/settle-object'
import { cloudinaryStorage } from '@/lib/storage/cloudinary'
import { guarded } from '@/lib/storage/guarded'
import type { Fault } from '@/lib/testing/fake-cloudinary'
import { api, deps, PNG } from '../testing/outages'

const { send, take, listed, claims, makeClaimsDue } = api

const isNothingRecorded = async () => (await listed()).body.pagination.total === 0

describe('while Cloudinary fails', () => {
  beforeEach(async () => {
    await api.open('cloudinary')
    waitAtMost(20_000)
  })

  const waitAtMost = (timeoutMs: number) => {
    const current = guarded(cloudinaryStorage(api.fake.url, { timeoutMs }))
    deps.storage = { ...deps.storage, current, of: () => current }
  }

  const uploads = () => api.fake.requests.filter(({ action }) => action === 'image/upload')

  const twice = (fault: Fault): Fault[] => [fault, fault]

  test.each<[Fault, number]>([
    ['error', 502],
    ['reset', 502],
    ['garbage', 502],
    ['hang', 504],
  ])('a response of "%s" is retried once, then %i', async (fault, expected) => {
    api.fake.fail(...twice(fault))
    if (fault === 'hang') waitAtMost(100)
    const { status, body } = await send(PNG)
    expect(status).toBe(expected)
    expect(body.error).not.toMatch(/internal detail|html|ECONN/i)
    expect(await isNothingRecorded()).toBe(true)
    const [first, second, ...more] = uploads()
    expect(second?.fields.public_id).toBe(first?.fields.public_id)
    expect(more).toEqual([])
  })

  test.each<Fault>(['error', 'reset', 'reset after', 'garbage', 'hang'])(
    'one response of "%s" has no effect',
    async (fault) => {
      api.fake.fail(fault)
      if (fault === 'hang') waitAtMost(1_000)
      const image = await take(PNG, { namespace: 'n' })
      expect([...api.fake.objects.keys()]).toEqual([image.publicId])
      expect(await claims()).toEqual([])
    },
  )

  test.each<Fault>(['refuse', 'limit'])('a response of "%s" is not retried', async (fault) => {
    api.fake.fail(fault)
    const { status, body } = await send(PNG)
    expect(status).toBe(502)
    expect(body.error).not.toMatch(/api_key|Rate limit exceeded/)
    expect(uploads()).toHaveLength(1)
    expect(await isNothingRecorded()).toBe(true)
  })

  test('five failures in a row keep requests away from it', async () => {
    for (let failure = 0; failure < 5; failure++) {
      api.fake.fail('refuse')
      await send(PNG)
    }
    const response = await send(PNG)
    expect(response.status).toBe(502)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(25)
    expect(uploads()).toHaveLength(5)
  })
})

describe('while the disk fails', () => {
  beforeEach(async () => {
    await api.open('local')
  })

  test('an upload is 502, nothing is recorded and nothing is left', async () => {
    const images = join(deps.settings.DATA_DIR, 'images')
    await mkdir(images, { recursive: true })
    await writeFile(join(images, 'objects'), 'a file where the folder should be')
    const { status, body } = await send(PNG)
    expect(status).toBe(502)
    expect(body.error).not.toContain(deps.settings.DATA_DIR)
    expect(await isNothingRecorded()).toBe(true)
    await rm(join(images, 'objects'))
    await makeClaimsDue()
    await settleDueObjects(deps)
    expect(await claims()).toEqual([])
    expect(await send(PNG)).toMatchObject({ status: 201 })
  })
})
