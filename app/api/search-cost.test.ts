import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '@/lib/testing/request'
import * as search from './entities/[entityName]/search/route'
import { anyOf, ask, deps, params, prepare } from './testing/places'

describe('conditions that cost too much', () => {
  beforeAll(() => prepare())

  test.each(Object.keys(ask))('of %s are refused, with what to narrow', async (name) => {
    const response = await ask[name]?.(400)
    expect(response).toMatchObject({
      status: 400,
      body: {
        error: expect.stringMatching(/would cost [\d.]+ times .*400 times icontains on "name"/),
      },
    })
    expect((await ask[name]?.(2))?.status).toBe(200)
  })

  test('are for those who may see the system', async () => {
    await prepare({ MAX_SEARCH_COST: '1000' })
    const body = { entity: 'Place', query: anyOf(4) }
    const spec = { method: 'POST', path: '/api/entities/Place/search', params, body }
    expect((await call(deps, search.POST, { ...spec, as: 'EDITOR' })).status).toBe(400)
    expect((await call(deps, search.POST, { ...spec, as: 'ADMIN' })).status).toBe(200)
  })
})
