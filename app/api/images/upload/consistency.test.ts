import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { settleDueObjects } from '@/lib/images/settle-object'
import { currentDeps } from '@/lib/testing/deps'
import { makeImage, pixelsOf } from '@/lib/testing/images'
import { imageApi, PROVIDERS } from '../testing/image-api'

const deps = currentDeps()
const api = imageApi()
const { send, take, one, readBack, listed, claims, makeClaimsDue, storedObjects } = api

const PNG = await makeImage('png', { width: 4, height: 3 })
const OTHER = await makeImage('png', { width: 5, height: 2 })

describe.each(PROVIDERS)('kept at %s', (provider) => {
  beforeEach(async () => {
    await api.open(provider)
  })

  describe('the same namespace and asset id', () => {
    test('replaces the image and keeps its id', async () => {
      const fields = { namespace: 'n', assetId: 'a' }
      const first = await take(PNG, { ...fields, options: '{"tags":["old"]}' })
      const second = await take(OTHER, fields)
      expect(second).toMatchObject({ fileId: first.fileId, width: 5, height: 2, tags: [] })
      expect(second.uri).not.toBe(first.uri)
      expect(await pixelsOf((await readBack(second.uri)) as Buffer)).toEqual(await pixelsOf(OTHER))
      expect(await readBack(first.uri)).toEqual(await readBack(second.uri))
      expect((await listed()).body.pagination.total).toBe(1)
      expect(await claims()).toEqual([])
    })

    test('keeps the name of an image that was sent without an asset id', async () => {
      const first = await take(PNG, { namespace: 'n' })
      const assetId = first.publicId.slice('n/'.length)
      const second = await take(OTHER, { namespace: 'n', assetId })
      expect(second).toMatchObject({ fileId: first.fileId, name: first.name, width: 5 })
    })

    test('by many concurrently leaves one image and its object', async () => {
      const sizes = [1, 2, 3, 4, 5, 6, 7, 8]
      const fields = { namespace: 'n', assetId: 'a' }
      const taken = await Promise.all(
        sizes.map(async (width) => take(await makeImage('png', { width, height: 1 }), fields)),
      )
      expect(new Set(taken.map(({ fileId }) => fileId)).size).toBe(1)
      const [image] = (await listed()).body.data
      const stored = (await readBack(image.uri)) as Buffer
      expect((await sharp(stored).metadata()).width).toBe(image.width)
      expect(await claims()).toEqual([])
      if (provider === 'cloudinary') expect(api.fake.objects.size).toBe(1)
    })
  })

  describe('the same content', () => {
    test('under one namespace is taken in again, and its first image named', async () => {
      const first = await take(PNG, { namespace: 'n', assetId: 'one' })
      const again = await send(PNG, { namespace: 'n', assetId: 'two' })
      expect(again.body.meta).toEqual({ duplicateOf: first.fileId })
      const elsewhere = await send(PNG, { namespace: 'm', assetId: 'one' })
      expect(elsewhere.body.meta).toEqual({})
      const itself = await send(PNG, { namespace: 'm', assetId: 'one' })
      expect(itself.body.meta).toEqual({})
    })
  })

  describe('when the database fails after the object is stored', () => {
    afterEach(() => deps.db.execute(sql`drop trigger if exists broken on engine.images`))
    const breakDatabase = async () => {
      await deps.db.execute(
        sql`create or replace function engine.break() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`,
      )
      await deps.db.execute(
        sql`create trigger broken before insert or update on engine.images execute function engine.break()`,
      )
    }

    test('the object is removed', async () => {
      await breakDatabase()
      const { status, body } = await send(PNG, { assetId: 'a' })
      expect({ status, error: body.error }).toMatchObject({ status: 500 })
      expect(body.error).not.toContain('broken')
      expect(await storedObjects(provider)).toEqual([])
      expect(await claims()).toEqual([])
    })

    test('the image that was to be replaced exists and describes what is stored', async () => {
      const before = await take(PNG, { assetId: 'a' })
      await breakDatabase()
      expect(await send(OTHER, { assetId: 'a' })).toMatchObject({ status: 500 })
      await deps.db.execute(sql`drop trigger broken on engine.images`)
      await makeClaimsDue()
      await settleDueObjects(deps)
      const [image] = (await one('GET', before.fileId)).body.data
      const stored = (await readBack(image.uri)) as Buffer
      expect(image).toMatchObject({ bytes: stored.length, fileId: before.fileId })
      expect((await sharp(stored).metadata()).width).toBe(image.width)
      expect(await claims()).toEqual([])
    })
  })
})
