import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import { claim } from '@/lib/images/claims'
import { settleDueObjects } from '@/lib/images/settle-object'
import { cloudinaryStorage } from '@/lib/storage/cloudinary'
import { currentDeps } from '@/lib/testing/deps'
import { makeImage } from '@/lib/testing/images'
import { call } from '@/lib/testing/request'
import { GET as searchEntity } from '../entities/[entityName]/route'
import { imageApi, PROVIDERS } from './image-api'

const deps = currentDeps()
const api = imageApi()
const { take, one, listed, readBack, claims } = api

const PNG = await makeImage('png', { width: 4, height: 3 })
const OTHER = await makeImage('png', { width: 5, height: 2 })

describe.each(PROVIDERS)('kept at %s', (provider) => {
  beforeEach(async () => {
    await api.open(provider)
  })

  describe('an image', () => {
    test('is listed, found and searched', async () => {
      const [first, second] = [await take(PNG), await take(OTHER, { namespace: 'n' })]
      const all = await listed()
      expect(all.body.data).toEqual([second, first])
      expect(all.body.pagination).toMatchObject({ total: 2, first: true, last: true })
      const found = await listed('?filter=folder:eq:n,width:gte:5&fields=fileId,uri')
      expect(found.body.data).toEqual([{ fileId: second.fileId, uri: second.uri }])
      expect(await listed('?filter=colour:eq:red')).toMatchObject({ status: 400 })
      expect((await one('GET', first.fileId, undefined, 'VIEWER')).body.data).toEqual([first])
    })

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

    test.each([
      [{}, 400],
      [{ tags: 'a' }, 400],
      [{ name: 'a' }, 400],
      [{ context: { k: 1 } }, 400],
    ])('is not changed by %j', async (body, status) => {
      const image = await take(PNG)
      expect(await one('PATCH', image.fileId, body)).toMatchObject({ status })
      expect((await one('GET', image.fileId)).body.data).toEqual([image])
    })

    test('is deleted with its object', async () => {
      const image = await take(PNG)
      expect((await one('DELETE', image.fileId)).body.data).toEqual([image])
      expect(await one('GET', image.fileId)).toMatchObject({ status: 404 })
      expect(await readBack(image.uri)).toBeNull()
      expect(await claims()).toEqual([])
    })

    test('that is not there is 404', async () => {
      for (const id of [crypto.randomUUID(), 'nothing', '%']) {
        expect(await one('GET', id)).toMatchObject({ status: 404 })
        expect(await one('PATCH', id, { tags: [] })).toMatchObject({ status: 404 })
        expect(await one('DELETE', id)).toMatchObject({ status: 404 })
      }
    })

    test('is out of reach without the right', async () => {
      const { fileId } = await take(PNG)
      expect(await one('GET', fileId, undefined, 'GUEST')).toMatchObject({ status: 403 })
      expect(await one('PATCH', fileId, { tags: [] }, 'VIEWER')).toMatchObject({ status: 403 })
      expect(await one('DELETE', fileId, undefined, 'VIEWER')).toMatchObject({ status: 403 })
    })

    test('leaves its traces in the audit log', async () => {
      const fields = { assetId: 'a' }
      const { fileId } = await take(PNG, fields)
      await take(OTHER, fields)
      await one('PATCH', fileId, { tags: ['t'] })
      await one('DELETE', fileId)
      const found = await rows<{ action: string }>(
        deps.db,
        sql`select action from engine.audit_log where object_id = ${fileId} order by id`,
      )
      const actions = ['upload', 'replace', 'update', 'delete'].map((verb) => `images.${verb}`)
      expect(found.map(({ action }) => action)).toEqual(actions)
    })
  })
})
