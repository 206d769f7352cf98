import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { thumbnailUri } from '@/lib/images/framing-contract'
import { currentDeps } from '@/lib/testing/deps'
import { makeImage } from '@/lib/testing/images'
import { imageApi, PROVIDERS } from './testing/image-api'

const deps = currentDeps()
const api = imageApi()
const { take, one, listed, readBack } = api

/** Red above blue. */
const PICTURE = await makeImage('png', { width: 200, height: 100 })
const LOWER = { x: 0, y: 0.5, width: 1, height: 0.5 }
const LOW = { x: 0.9, y: 0.9 }

/** Size of a form and the color of its middle. */
async function see(uri: string) {
  const bytes = (await readBack(uri)) as Buffer
  const { data, info } = await sharp(bytes).flatten().raw().toBuffer({ resolveWithObject: true })
  const middle = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * 3
  const [red = 0, , blue = 0] = data.subarray(middle, middle + 3)
  return [info.width, info.height, red > blue ? 'red' : 'blue']
}

const patch = async (fileId: string, body: object) => {
  const response = await one('PATCH', fileId, body)
  expect(response.status, response.text).toBe(200)
  return response.body.data[0]
}

describe.each(PROVIDERS)('kept at %s', (provider) => {
  beforeEach(async () => {
    await api.open(provider)
  })

  describe('crop and focal point', () => {
    test('are kept with the record, searched, and removed', async () => {
      const { fileId, updatedAt, ...rest } = await take(PICTURE, { assetId: 'a' })
      const after = await patch(fileId, { crop: LOWER, focalPoint: LOW })
      expect(after).toMatchObject({ ...rest, crop: LOWER, focalPoint: LOW })
      expect((await one('GET', fileId)).body.data).toEqual([after])
      expect((await listed()).body.data).toEqual([after])
      expect((await listed('?filter=crop:isNull')).body.data).toEqual([])
      expect(await patch(fileId, { focalPoint: null })).toMatchObject({
        ...{ crop: LOWER, focalPoint: null },
      })
      expect(await patch(fileId, { crop: null, tags: ['t'] })).toMatchObject({
        ...{ crop: null, focalPoint: null, tags: ['t'] },
      })
    })

    test('decide what smaller forms show, and leave the file as it is', async () => {
      const image = await take(PICTURE)
      const stored = await readBack(image.secureUri)
      expect(await see(thumbnailUri(image, 64, '16:9'))).toEqual([64, 36, 'blue'])
      const focused = await patch(image.fileId, { focalPoint: { x: 0, y: 0 } })
      expect(await see(thumbnailUri(focused, 64))).toEqual([64, 32, 'blue'])
      const upper = await patch(image.fileId, { crop: { x: 0, y: 0, width: 1, height: 0.5 } })
      expect(await see(thumbnailUri(upper, 64))).toEqual([64, 16, 'red'])
      const lower = await patch(image.fileId, { crop: LOWER })
      expect(await see(thumbnailUri(lower, 64))).toEqual([64, 16, 'blue'])
      expect(await see(thumbnailUri(lower, 1024, '1:1'))).toEqual([50, 50, 'blue'])
      expect(await readBack(image.secureUri)).toEqual(stored)
      const addresses = [image, focused, upper, lower].map((each) => thumbnailUri(each, 64, '1:1'))
      expect(new Set(addresses).size).toBe(4)
    })

    test('are of the image as it is shown', async () => {
      const image = await take(await makeImage('jpeg', { width: 100, height: 200, orientation: 6 }))
      expect(image).toMatchObject({ width: 200, height: 100 })
      const right = { x: 0.5, y: 0, width: 0.5, height: 1 }
      const [shown, color] = [await patch(image.fileId, { crop: right }), 'red']
      expect(await see(thumbnailUri(shown, 64))).toEqual([64, 64, color])
      const left = await patch(image.fileId, { crop: { ...right, x: 0 } })
      expect(await see(thumbnailUri(left, 64))).toEqual([64, 64, 'blue'])
    })

    test('stay with a new file as far as they still mean something', async () => {
      const fields = { assetId: 'a' }
      const { fileId } = await take(PICTURE, fields)
      await patch(fileId, { crop: LOWER, focalPoint: LOW })
      const larger = await take(await makeImage('png', { width: 400, height: 200 }), fields)
      expect(larger).toMatchObject({ fileId, crop: LOWER, focalPoint: LOW })
      expect(await see(thumbnailUri(larger, 64))).toEqual([64, 16, 'blue'])
      const square = await take(await makeImage('png', { width: 90, height: 90 }), fields)
      expect(square).toMatchObject({ fileId, crop: null, focalPoint: LOW })
    })

    const ODD = [
      { crop: { x: 0.5, y: 0, width: 0.6, height: 1 } },
      { crop: { x: 0, y: 0, width: 0.001, height: 1 } },
      { crop: 'all' },
      { crop: [0, 0, 1, 1] },
      { focalPoint: { x: 1.1, y: 0 } },
      { focalPoint: { x: 0.5 } },
      { focalPoint: { x: 0.5, y: '0.5' } },
      { crop: LOWER, focalPoint: { x: -1, y: 0 } },
    ]
    test('are refused when they are none', async () => {
      const image = await take(PICTURE)
      for (const body of ODD) {
        const refused = await one('PATCH', image.fileId, body)
        expect.soft([body, refused.status]).toEqual([body, 400])
        expect.soft(refused.body.validations[0].field).toMatch(/^(crop|focalPoint)/)
      }
      expect((await one('GET', image.fileId)).body.data).toEqual([image])
      expect(await api.claims()).toEqual([])
    })

    test('are not changed without the right', async () => {
      const { fileId } = await take(PICTURE)
      for (const as of ['VIEWER', 'GUEST'])
        expect(await one('PATCH', fileId, { crop: LOWER }, as)).toMatchObject({ status: 403 })
    })

    test('are noted in the audit log, with what they were', async () => {
      const { fileId } = await take(PICTURE)
      await patch(fileId, { crop: LOWER })
      await patch(fileId, { crop: null })
      const found = await rows<{ details: unknown }>(
        deps.db,
        sql`select details from engine.audit_log where action = 'images.update' order by id`,
      )
      expect(found.map(({ details }) => details)).toEqual([
        { before: { crop: null }, after: { crop: LOWER } },
        { before: { crop: LOWER }, after: { crop: null } },
      ])
    })
  })
})

describe('on the disk', () => {
  beforeEach(async () => {
    await api.open('local')
  })

  test('no smaller form outlives its crop, and none its image', async () => {
    const image = await take(PICTURE)
    const whole = thumbnailUri(image, 64)
    const square = thumbnailUri(image, 64, '1:1')
    for (const uri of [whole, square]) await readBack(uri)
    expect(await thumbnails()).toHaveLength(2)
    const cropped = await patch(image.fileId, { crop: LOWER })
    expect(await thumbnails()).toHaveLength(1)
    await readBack(thumbnailUri(cropped, 64))
    expect(await thumbnails()).toHaveLength(2)
    await one('DELETE', image.fileId)
    expect(await thumbnails()).toEqual([])
  })

  const thumbnails = async () => {
    const folder = join(deps.settings.DATA_DIR, 'images', 'thumbnails')
    const all = await readdir(folder, { recursive: true, withFileTypes: true })
    return all.filter((entry) => entry.isFile())
  }
})
