import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { claim } from '@/lib/images/claims'
import { settleDueObjects } from '@/lib/images/settle-object'
import { cloudinaryStorage } from '@/lib/storage/cloudinary'
import { currentDeps } from '@/lib/testing/deps'
import { makeImage } from '@/lib/testing/images'
import { call } from '@/lib/testing/request'
import { GET as searchEntity } from '../entities/[entityName]/route'
import { imageApi, PROVIDERS } from './testing/image-api'

const deps = currentDeps()
const api = imageApi()
const { take, one, claims } = api

const PNG = await makeImage('png', { width: 4, height: 3 })

describe.each(PROVIDERS)('kept at %s', (provider) => {
  beforeEach(async () => {
    await api.open(provider)
  })

  describe('an image', () => {
    test('has the same identifier and addresses wherever it is read', async () => {
      const image = await take(PNG, { assetId: 'one' })
      expect(image.id).not.toBe(image.fileId)
      if (provider === 'cloudinary') {
        const held = await cloudinaryStorage(api.fake.url).describe('one')
        expect(held).toMatchObject({ assetId: image.id })
      } else expect(image.uri).toContain(`.${image.id}.png`)
      const params = { entityName: 'EngineFiles' }
      const path = `/api/entities/EngineFiles?filter=secureUri:eq:"${image.secureUri}"`
      const found = await call(deps, searchEntity, { path, as: 'ADMIN', params })
      const { provider: _, createdBy: __, ...record } = found.body.data[0]
      expect(record).toEqual(image)
    })

    test('restores the labels at the provider after a change that was not recorded', async () => {
      const image = await take(PNG, { options: JSON.stringify({ tags: ['a'] }) })
      await deps.db.execute(sql`
        create function engine.refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`)
      await deps.db.execute(sql`
        create trigger refuse before update on engine.images execute function engine.refuse()`)
      const failed = await one('PATCH', image.fileId, { tags: ['b'] })
      await deps.db.execute(sql`drop function engine.refuse cascade`)
      expect(failed.status).toBe(500)
      expect((await one('GET', image.fileId)).body.data).toEqual([image])
      const held = api.fake.objects.get(image.publicId)
      if (provider === 'cloudinary') expect(held?.tags).toEqual(['a'])
      expect(await claims()).toEqual([])
    })

    test('gets its labels back at the provider when the process died before they were recorded', async () => {
      if (provider !== 'cloudinary') return
      const image = await take(PNG, { options: JSON.stringify({ tags: ['a'] }) })
      await cloudinaryStorage(api.fake.url).label(image.publicId, { tags: ['b'], context: {} })
      await claim(deps.db, { provider, storageKey: image.publicId })
      await api.makeClaimsDue()
      await settleDueObjects(deps)
      expect(api.fake.objects.get(image.publicId)?.tags).toEqual(['a'])
      expect(await claims()).toEqual([])
    })

    test('gets other tags and context, each as a whole', async () => {
      const options = JSON.stringify({ tags: ['a'], context: { k: 'v' } })
      const image = await take(PNG, { options })
      const tagged = await one('PATCH', image.fileId, { tags: ['b', 'c'] })
      expect(tagged.body.data[0]).toMatchObject({ tags: ['b', 'c'], context: { k: 'v' } })
      await one('PATCH', image.fileId, { tags: [], context: { x: 'a|b' } })
      const { body } = await one('GET', image.fileId)
      expect(body.data[0]).toMatchObject({ tags: [], context: { x: 'a|b' } })
      const held = api.fake.objects.get(image.publicId)
      if (provider === 'cloudinary') expect(held).toMatchObject({ tags: [], context: { x: 'a|b' } })
    })
  })
})
