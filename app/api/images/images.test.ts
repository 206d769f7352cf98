import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { currentDeps } from '@/lib/testing/deps'
import { makeImage } from '@/lib/testing/images'
import { imageApi, PROVIDERS } from './testing/image-api'

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

    test('is not changed by what is no change', async () => {
      const image = await take(PNG)
      for (const body of [
        {},
        { tags: 'a' },
        { name: 'a' },
        { context: { k: 1 } },
        { context: JSON.parse('{"__proto__":"x","alt":"y"}') },
      ])
        expect
          .soft(await one('PATCH', image.fileId, body), JSON.stringify(body))
          .toMatchObject({ status: 400 })
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
