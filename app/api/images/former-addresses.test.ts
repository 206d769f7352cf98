import { count, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { formerImageKeys } from '@/lib/db/schema'
import { thumbnailUri } from '@/lib/images/framing-contract'
import { MAX_FORMER_KEYS } from '@/lib/images/store'
import { createStorages } from '@/lib/storage/storages'
import { currentDeps } from '@/lib/testing/deps'
import { makeImage } from '@/lib/testing/images'
import { GET } from './files/[...path]/route'
import { imageApi, PROVIDERS } from './testing/image-api'

const deps = currentDeps()
const api = imageApi()
const { take, one, readBack } = api

const sized = (width: number) => makeImage('png', { width, height: 50 })
const get = (uri: string) => GET(new Request(uri), { params: Promise.resolve({}) })
const widthAt = async (uri: string) =>
  (await sharp((await readBack(uri)) as Buffer).metadata()).width
const NAMED = { namespace: 'shop', assetId: 'boot' }

describe.each(PROVIDERS)('kept at %s', (provider) => {
  beforeEach(async () => {
    await api.open(provider)
  })

  test('every address of an image leads to it, however often it is replaced', async () => {
    const addresses: string[] = []
    for (const width of [30, 40, 50]) addresses.push((await take(await sized(width), NAMED)).uri)
    const last = await take(await makeImage('jpeg', { width: 60, height: 50 }), NAMED)
    for (const uri of [...addresses, last.uri]) expect(await widthAt(uri)).toBe(60)
    await one('DELETE', last.fileId)
    for (const uri of [...addresses, last.uri]) expect(await readBack(uri)).toBeNull()
    await take(await sized(70), NAMED)
    if (provider === 'local') for (const uri of addresses) expect(await readBack(uri)).toBeNull()
  })
})

describe('on the disk, a former address', () => {
  beforeEach(async () => {
    await api.open('local')
  })

  test('is not cached permanently, also in smaller forms', async () => {
    const before = await take(await sized(300), NAMED)
    const after = await take(await sized(400), NAMED)
    const whole = await get(before.secureUri)
    expect(whole.status).toBe(307)
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      location: new URL(after.secureUri).pathname,
      'cache-control': 'public, max-age=60',
      'cross-origin-resource-policy': 'cross-origin',
    })
    const small = await get(thumbnailUri(before, 64, '1:1'))
    expect(small.headers.get('location')).toBe(
      thumbnailUri({ ...after, secureUri: new URL(after.secureUri).pathname }, 64, '1:1'),
    )
    expect((await sharp((await readBack(`${before.uri}?w=64`)) as Buffer).metadata()).width).toBe(
      64,
    )
  })

  test('of an unknown version leads nowhere: names can be guessed', async () => {
    const { uri } = await take(await sized(30), NAMED)
    await take(await sized(40), NAMED)
    const guessed = uri.replace(/\.[0-9a-f]{24}\./, `.${'0'.repeat(24)}.`)
    expect((await get(guessed)).status).toBe(404)
    expect((await get(`${guessed}?w=64`)).status).toBe(404)
  })

  test('leads to Cloudinary when the image is kept there now', async () => {
    const before = await take(await sized(30), NAMED)
    deps.storage = createStorages({ ...deps.settings, CLOUDINARY_URL: api.fake.url })
    const after = await take(await sized(40), NAMED)
    expect(after.secureUri).not.toContain('/api/images/files/')
    expect(await widthAt(before.uri)).toBe(40)
    expect((await get(`${before.uri}?w=64`)).headers.get('location')).toBe(thumbnailUri(after, 64))
  })

  test('is forgotten when there are too many newer ones', async () => {
    const first = await take(await sized(30), NAMED)
    const second = await take(await sized(40), NAMED)
    await deps.db.execute(sql`
      insert into engine.former_image_keys (storage_key, image_id, replaced_at)
      select 'made-up-' || n, ${first.fileId}, now() - interval '1 hour'
      from generate_series(1, ${MAX_FORMER_KEYS}) as n`)
    await deps.db.execute(sql`
      update engine.former_image_keys set replaced_at = now() - interval '1 day'
      where storage_key not like 'made-up-%'`)
    await take(await sized(50), NAMED)
    expect((await get(first.uri)).status).toBe(404)
    expect((await get(second.uri)).status).toBe(307)
    const [kept] = await deps.db.select({ total: count() }).from(formerImageKeys)
    expect(kept?.total).toBe(MAX_FORMER_KEYS)
  })
})
