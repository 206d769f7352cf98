import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { claim } from '@/lib/images/claims'
import { settleDueObjects } from '@/lib/images/settle-object'
import { currentDeps } from '@/lib/testing/deps'
import { makeImage } from '@/lib/testing/images'
import { call } from '@/lib/testing/request'
import { imageApi, PROVIDERS } from '../testing/image-api'
import { PATCH } from './route'

const deps = currentDeps()
const api = imageApi()
const { take, one, claims, makeClaimsDue } = api
const PNG = await makeImage('png', { width: 4, height: 3 })

const edit = (body: object, query = '', as: string[] | string = 'EDITOR', scopes?: string[]) =>
  call(deps, PATCH, { method: 'PATCH', path: `/api/images/batch${query}`, body, as, scopes })

const labelled = (assetId: string, tags: string[], context = {}) =>
  take(PNG, { namespace: 'shop', assetId, options: JSON.stringify({ tags, context }) })

const inShop = [{ field: 'folder', operator: 'eq', value: 'shop' }]
const labelsOf = async ({ fileId }: { fileId: string }) => {
  const { tags, context } = (await one('GET', fileId)).body.data[0]
  return { tags, context }
}
const noted = () =>
  rows<{ details: object }>(
    deps.db,
    sql`select details from engine.audit_log where action = 'images.update'`,
  )

describe.each(PROVIDERS)('kept at %s', (provider) => {
  beforeEach(async () => {
    await api.open(provider)
  })

  test('chosen images get and lose tags and keys, and keep their others', async () => {
    const a = await labelled('a', ['old', 'kept'], { alt: 'A', source: 'shop' })
    const b = await labelled('b', ['new'], { alt: 'B' })
    const c = await labelled('c', ['old'])
    const change = {
      addTags: ['new'],
      removeTags: ['old'],
      setContext: { credit: 'Studio' },
      unsetContext: ['source'],
    }
    const edited = await edit({ ids: [a.fileId, b.fileId], ...change })
    expect(edited).toMatchObject({ status: 200, body: { data: [{ effected: 2 }] } })
    expect(edited.body.meta).toEqual({ updated: 2, unchanged: 0 })
    const after = { tags: ['kept', 'new'], context: { alt: 'A', credit: 'Studio' } }
    expect(await labelsOf(a)).toEqual(after)
    expect(await labelsOf(b)).toEqual({ tags: ['new'], context: { alt: 'B', credit: 'Studio' } })
    expect(await labelsOf(c)).toEqual({ tags: ['old'], context: {} })
    if (provider === 'cloudinary') {
      expect(api.fake.objects.get('shop/a')).toMatchObject(after)
      expect(api.fake.objects.get('shop/c')).toMatchObject({ tags: ['old'] })
    }
    expect(await claims()).toEqual([])
    expect(await noted()).toEqual([
      { details: { ids: [a.fileId, b.fileId], change, count: 2, updated: 2 } },
    ])
    const { updatedAt } = (await one('GET', a.fileId)).body.data[0]
    expect(updatedAt > a.updatedAt).toBe(true)
  })

  test('all that match are changed, and those that have the labels already stay', async () => {
    const a = await labelled('a', ['sale'])
    const b = await labelled('b', [])
    const other = await take(PNG, { assetId: 'other' })
    const edited = await edit({ query: inShop, addTags: ['sale'] })
    expect(edited.body).toMatchObject({ data: [{ effected: 2 }], meta: { updated: 1 } })
    expect(await labelsOf(b)).toEqual({ tags: ['sale'], context: {} })
    expect(await labelsOf(other)).toEqual({ tags: [], context: {} })
    expect((await one('GET', a.fileId)).body.data).toEqual([a])
    const [found] = await noted()
    expect(found?.details).toMatchObject({ query: inShop, count: 2, updated: 1 })
  })

  test('a dry run and a wrong number change nothing', async () => {
    const a = await labelled('a', [])
    const dry = await edit({ query: [], addTags: ['x'] }, '?dryRun=true')
    expect(dry.body).toMatchObject({ data: [{ effected: 1 }] })
    expect(dry.body.meta).toEqual({ updated: 1, unchanged: 0, dryRun: true })
    const wrong = await edit({ query: inShop, addTags: ['x'] }, '?expected=2')
    expect(wrong).toMatchObject({ status: 409, body: { meta: { expected: 2, found: 1 } } })
    expect(await labelsOf(a)).toEqual({ tags: [], context: {} })
    expect(await noted()).toEqual([])
    expect(await claims()).toEqual([])
  })

  test('a database that fails changes none, and the labels of the provider stay', async () => {
    const a = await labelled('a', ['a'])
    const b = await labelled('b', ['b'])
    await deps.db.execute(sql`
      create function engine.refuse() returns trigger language plpgsql as $$
      begin if new.public_id = 'shop/b' then raise exception 'refused'; end if; return new; end $$`)
    await deps.db.execute(sql`
      create trigger refuse before update on engine.images for each row execute function engine.refuse()`)
    const failed = await edit({ ids: [a.fileId, b.fileId], addTags: ['x'] })
    await deps.db.execute(sql`drop function engine.refuse cascade`)
    expect(failed.status).toBe(500)
    expect(await labelsOf(a)).toEqual({ tags: ['a'], context: {} })
    await settleDueObjects(deps)
    if (provider === 'cloudinary') expect(api.fake.objects.get('shop/a')?.tags).toEqual(['a'])
    expect(await claims()).toEqual([])
    expect(await edit({ ids: [a.fileId], addTags: ['x'] })).toMatchObject({ status: 200 })
  })

  test('two edits at once are both carried out, or one says that it was not', async () => {
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((name) => labelled(name, [])))
    const ids = all.map(({ fileId }) => fileId)
    const edits = await Promise.all([
      edit({ ids, addTags: ['x'] }),
      edit({ ids: ids.toReversed(), addTags: ['y'] }),
      one('PATCH', ids[0], { context: { alt: 'A' } }),
    ])
    const [x, y, alt] = edits.map(({ status }) => status)
    for (const status of [x, y, alt]) expect([200, 409]).toContain(status)
    for (const image of all) {
      const { tags, context } = await labelsOf(image)
      expect(tags.includes('x')).toBe(x === 200)
      expect(tags.includes('y')).toBe(y === 200)
      expect(image.fileId !== ids[0] || 'alt' in context === (alt === 200)).toBe(true)
      const held = api.fake.objects.get(image.publicId)
      if (provider === 'cloudinary') expect(held).toMatchObject({ tags, context })
    }
    await settleDueObjects(deps)
    expect(await claims()).toEqual([])
  })
})

describe('while Cloudinary fails', () => {
  beforeEach(async () => {
    await api.open('cloudinary')
  })

  test('records have their labels at once, and the provider gets them later', async () => {
    const a = await labelled('a', ['a'])
    const b = await labelled('b', ['b'])
    api.fake.fail('refuse')
    const edited = await edit({ ids: [a.fileId, b.fileId], addTags: ['x'] })
    expect(edited).toMatchObject({ status: 200, body: { meta: { updated: 2, pending: 1 } } })
    expect(await labelsOf(a)).toEqual({ tags: ['a', 'x'], context: {} })
    expect(await claims()).toHaveLength(1)
    await makeClaimsDue()
    await settleDueObjects(deps)
    expect(api.fake.objects.get('shop/a')?.tags).toEqual(['a', 'x'])
    expect(api.fake.objects.get('shop/b')?.tags).toEqual(['b', 'x'])
    expect(await claims()).toEqual([])
  })

  test('images of a provider that is not set up any more are not changed', async () => {
    const { fileId } = await labelled('a', [])
    deps.storage = { ...deps.storage, of: () => null }
    expect(await edit({ ids: [fileId], addTags: ['x'] })).toMatchObject({ status: 503 })
  })

  test('an image whose object another request holds is waited for', async () => {
    const a = await labelled('a', [])
    await claim(deps.db, { provider: 'cloudinary', storageKey: 'shop/a' })
    const waiting = edit({ ids: [a.fileId], addTags: ['x'] })
    await makeClaimsDue()
    expect(await waiting).toMatchObject({ status: 200 })
    expect(await labelsOf(a)).toEqual({ tags: ['x'], context: {} })
  })
})

describe('refused', () => {
  beforeEach(async () => {
    await api.open('local')
  })
  const none = crypto.randomUUID()

  test.each([
    ['nothing', {}],
    ['no change', { ids: [none] }],
    ['no selection', { addTags: ['x'] }],
    ['two selections', { ids: [none], query: [], addTags: ['x'] }],
    ['no ids', { ids: [], addTags: ['x'] }],
    ['ids that are none', { ids: ['x'], addTags: ['x'] }],
    ['more ids than the limit', { ids: Array(501).fill(none), addTags: ['x'] }],
    ['a bad tag', { ids: [none], addTags: ['a,b'] }],
    ['a bad key', { ids: [none], setContext: { 'a b': 'x' } }],
    ['a key that objects have', { ids: [none], setContext: JSON.parse('{"__proto__":"x"}') }],
    ['such a key to unset', { ids: [none], unsetContext: ['__proto__'] }],
    ['a tag added and removed', { ids: [none], addTags: ['x'], removeTags: ['x'] }],
    ['a key set and unset', { ids: [none], setContext: { a: 'x' }, unsetContext: ['a'] }],
    ['an unknown property', { ids: [none], tags: ['x'] }],
    ['an unknown field', { query: [{ field: 'nme', operator: 'eq', value: 1 }], addTags: ['x'] }],
  ])('%s', async (_, body) => {
    expect(await edit(body)).toMatchObject({ status: 400 })
  })

  test('an id of no image, and nothing else is changed', async () => {
    const a = await labelled('a', [])
    const refused = await edit({ ids: [a.fileId, none], addTags: ['x'] })
    expect(refused).toMatchObject({ status: 404 })
    expect(refused.body.error).toContain(none)
    expect(await labelsOf(a)).toEqual({ tags: [], context: {} })
  })

  test('a tag too many for one of the images', async () => {
    const tags = Array.from({ length: 100 }, (_, index) => `t${index}`)
    const [a, b] = [await labelled('a', []), await labelled('b', tags)]
    const refused = await edit({ ids: [a.fileId, b.fileId], addTags: ['x'] })
    expect(refused).toMatchObject({ status: 400 })
    expect(refused.body.error).toContain('shop/b')
    expect(await labelsOf(a)).toEqual({ tags: [], context: {} })
  })

  test('conditions, dry runs and expected numbers without the right to read', async () => {
    const { fileId } = await labelled('a', [])
    const scopes = ['images:upload']
    const byIds = { ids: [fileId], addTags: ['x'] }
    expect(await edit({ query: [], addTags: ['x'] }, '', 'ADMIN', scopes)).toMatchObject({
      status: 403,
    })
    expect(await edit(byIds, '?dryRun=true', 'ADMIN', scopes)).toMatchObject({ status: 403 })
    expect(await edit(byIds, '?expected=1', 'ADMIN', scopes)).toMatchObject({ status: 403 })
    expect(await edit(byIds, '', 'VIEWER')).toMatchObject({ status: 403 })
    expect(await edit(byIds, '', 'ADMIN', scopes)).toMatchObject({ status: 200 })
  })
})
