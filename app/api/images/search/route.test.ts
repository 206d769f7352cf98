import { beforeEach, describe, expect, test } from 'vitest'
import { currentDeps } from '@/lib/testing/deps'
import { makeImage } from '@/lib/testing/images'
import { call } from '@/lib/testing/request'
import { GET as facets } from '../facets/route'
import { imageApi } from '../testing/image-api'
import { POST } from './route'

const deps = currentDeps()
const api = imageApi()
beforeEach(async () => {
  await api.open('local')
  const png = await makeImage('png')
  await api.take(png, { namespace: 'shop', assetId: 'boot', options: '{"tags":["red","new"]}' })
  await api.take(await makeImage('gif'), { assetId: 'bare', options: '{"tags":["red"]}' })
  await api.take(png, { namespace: 'shop', assetId: 'shoe' })
})

const search = (body: unknown, as = 'VIEWER') =>
  call(deps, POST, { method: 'POST', path: '/api/images/search', body, as })
const names = async (body: unknown) =>
  (await search(body)).body.data.map(({ name }: { name: string }) => name)

describe('searching images', () => {
  test('returns what the list does, the newest first', async () => {
    const { status, body } = await search({})
    expect(status).toBe(200)
    expect(body.data).toEqual((await api.listed()).body.data)
    expect(await names({})).toEqual(['shoe', 'bare', 'boot'])
  })

  test('takes nested conditions, an order and a page', async () => {
    const either = [
      { field: 'tags', operator: 'contains', value: 'new' },
      { field: 'name', operator: 'icontains', value: 'SHO' },
    ]
    const query = [{ operator: 'or', filters: either }]
    const sort = [{ field: 'name', direction: 'asc' }]
    expect(await names({ query, sort })).toEqual(['boot', 'shoe'])
    expect(await names({ query, sort, pagination: { page: 1, size: 1 } })).toEqual(['shoe'])
  })

  test.each([{ query: [{ field: 'nme', operator: 'eq', value: 'x' }] }, { groupBy: {} }, { x: 1 }])(
    'refuses %j',
    async (body) => {
      expect(await search(body)).toMatchObject({ status: 400 })
    },
  )

  test('is not for callers without the right', async () => {
    expect(await search({}, '')).toMatchObject({ status: 401 })
    expect(await search({}, 'GUEST')).toMatchObject({ status: 403 })
  })
})

test('the folders, tags and formats of images are counted for who may see them', async () => {
  const path = '/api/images/facets'
  expect((await call(deps, facets, { path, as: 'VIEWER' })).body.data).toEqual([
    {
      folders: [
        { value: 'shop', count: 2 },
        { value: '', count: 1 },
      ],
      tags: [
        { value: 'red', count: 2 },
        { value: 'new', count: 1 },
      ],
      formats: [
        { value: 'png', count: 2 },
        { value: 'gif', count: 1 },
      ],
    },
  ])
  expect(await call(deps, facets, { path })).toMatchObject({ status: 401 })
})
