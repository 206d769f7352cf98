import { beforeEach, describe, expect, test } from 'vitest'
import { currentDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { makeImage } from '@/lib/testing/images'
import { call } from '@/lib/testing/request'
import { imageApi, PROVIDERS } from '../../testing/image-api'
import { GET } from './route'

const deps = currentDeps()
const api = imageApi()
const PNG = await makeImage('png', { width: 4, height: 3 })

const uses = (fileId: string, as: string[] | string = 'VIEWER', scopes?: string[]) =>
  call(deps, GET, { path: `/api/images/${fileId}/uses`, as, scopes, params: { fileId } })

const properties = [
  { name: 'title', type: 'string' },
  { name: 'photo', type: 'text' },
  { name: 'count', type: 'integer' },
  { name: 'gallery', type: 'array' },
  { name: 'layout', type: 'object' },
]
const complete = { hidden: 0, more: [], incomplete: [], complete: true }
const install = (name: string, records: object[], schema: object = { properties }) =>
  installTestEntity(deps, { entity: { name }, schema }, records)

describe.each(PROVIDERS)('an image kept at %s', (provider) => {
  beforeEach(async () => {
    await api.open(provider)
  })

  test('is used by records with an address of it anywhere, and by no others', async () => {
    const image = await api.take(PNG, { namespace: 'shop/red', assetId: 'boot_1' })
    const path = new URL(image.secureUri).pathname
    const form =
      provider === 'local'
        ? `${image.secureUri}?w=256`
        : image.secureUri.replace('/upload/', '/upload/c_limit,w_256/f_auto/')
    const other = image.secureUri.replace('red/boot_1', 'red/bootx1')
    const longer = image.secureUri.replace('/shop/', '/x/shop/')
    await install('Page', [
      { title: 'Whole', photo: image.secureUri },
      { title: 'Path', photo: `<img src="${path}">` },
      { title: 'Form', photo: `See ![boot](${form})` },
      { title: 'List', gallery: [{ src: image.uri }], layout: { hero: { image: form } } },
      { title: 'Identifier', photo: image.fileId },
      { title: 'Public id', gallery: ['shop/red/boot_1'] },
      { title: 'Undeclared', banner: { src: image.uri }, icon: 'x' },
      { title: 'Other', photo: other, gallery: [other] },
      { title: 'Longer', photo: longer, layout: { a: longer, b: 'x/shop/red/boot_1' } },
      { title: image.publicId.replace('boot', 'boat'), count: 1 },
    ])
    const found = await uses(image.fileId)
    expect(found.status).toBe(200)
    expect(found.body.meta).toEqual(complete)
    const shown = found.body.data.map(({ title, fields }: { title: string; fields: string[] }) => [
      ...[title, ...fields],
    ])
    expect(shown).toEqual([
      ['Whole', 'photo'],
      ['Path', 'photo'],
      ['Form', 'photo'],
      ['List', 'gallery', 'layout'],
      ['Identifier', 'photo'],
      ['Public id', 'gallery'],
      ['Undeclared', 'banner'],
    ])
    expect(found.body.data[0]).toMatchObject({ entity: 'Page', persistenceId: '1' })
  })

  test('is used by the records that hold an address from before it was replaced', async () => {
    const before = await api.take(PNG, { assetId: 'boot' })
    await install('Page', [{ title: 'Old', photo: before.uri }])
    const other = await makeImage('jpeg', { width: 9, height: 9 })
    const after = await api.take(other, { assetId: 'boot' })
    expect(after.uri).not.toBe(before.uri)
    expect((await uses(before.fileId)).body.data).toMatchObject([{ title: 'Old' }])
  })

  test('of a name that may be any word is found by its public id only where that is meant', async () => {
    const { fileId } = await api.take(PNG, { assetId: 'Berlin' })
    await install('City', [{ name: 'Berlin', photo: 'Berlin' }], {
      properties: [
        { name: 'name', type: 'string' },
        {
          ...{ name: 'photo', type: 'string' },
          reference: { entity: 'EngineFiles', field: 'publicId' },
        },
      ],
    })
    expect((await uses(fileId)).body.data).toMatchObject([{ fields: ['photo'] }])
  })

  test('of a name in other letters is found', async () => {
    const image = await api.take(PNG, { namespace: 'größe', assetId: '靴.v1' })
    await install('Page', [{ title: 'Shoe', photo: image.uri }, { gallery: [image.uri] }])
    expect((await uses(image.fileId)).body.data).toHaveLength(2)
  })
})

describe('uses', () => {
  beforeEach(async () => {
    await api.open('local')
  })

  test('in entities that the caller may not read are a number', async () => {
    const { fileId, uri } = await api.take(PNG, {})
    await install('Page', [{ title: 'Open', photo: uri }])
    await install('Secret', [{ photo: uri }, { gallery: [uri] }, { photo: 'none' }])
    const found = await uses(fileId, 'ADMIN', ['images:read', 'Page:read'])
    expect(found.body.data).toMatchObject([{ entity: 'Page', title: 'Open' }])
    expect(found.body.meta).toEqual({ ...complete, hidden: 2 })
    expect(found.text).not.toContain('Secret')
  })

  test('of one entity are named up to a number', async () => {
    const { fileId, uri } = await api.take(PNG, {})
    const records = Array.from({ length: 21 }, (_, index) => ({ title: `${index}`, photo: uri }))
    await install('Page', records)
    await install('Empty', [])
    const { data, meta } = (await uses(fileId)).body
    expect(data.map(({ title }: { title: string }) => title)).toEqual(
      records.slice(0, 20).map(({ title }) => title),
    )
    expect(meta).toEqual({ ...complete, more: ['Page'] })
  })

  test('are none of an image that no record holds, or in entities without texts', async () => {
    const { fileId } = await api.take(PNG, {})
    const properties = [{ name: 'count', type: 'integer' }]
    await install('Number', [{ count: 1 }], { properties, additionalProperties: false })
    expect((await uses(fileId)).body).toMatchObject({ data: [], meta: complete })
  })

  test('are for those who may read images', async () => {
    const { fileId } = await api.take(PNG, {})
    expect(await uses(fileId, 'ADMIN', ['images:upload'])).toMatchObject({ status: 403 })
    expect(await uses(crypto.randomUUID())).toMatchObject({ status: 404 })
  })
})
