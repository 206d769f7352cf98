import { describe, expect, test } from 'vitest'
import { definePolicy } from '@/lib/policies/define-policy'
import { parsePolicy } from '@/lib/policies/parse-policy'
import { testKey } from '@/lib/testing/request'
import type { Json, JsonObject } from '@/lib/values/json'
import { deps, faultOf, get, on, PLACES, post } from './testing/spots'

describe('a search for places', () => {
  test('has the same form in addresses', async () => {
    const filter = 'place:near:48.8584|2.2945|5'
    const { status, body } = await get({ filter, sort: 'place.$distance:desc', fields: 'id' })
    expect([status, body.data]).toEqual([200, [{ id: 2 }, { id: 1 }]])
    const boxed = await get({
      filter: 'place:within:48|2|49|3',
      sort: 'id',
      fields: 'id,place.lat',
    })
    expect(boxed.body.data).toEqual([
      { id: 1, 'place.lat': 48.8584 },
      { id: 2, 'place.lat': 48.8606 },
    ])
    const same = await get({ filter: 'place:eq:"48.8584, 2.2945"', fields: 'id' })
    expect(same.body.data).toEqual([{ id: 1 }])
    expect((await get({ filter: 'place:isnull', fields: 'id' })).body.data).toEqual([{ id: 4 }])
  })

  test('is not met by a record without a place, and its opposite is', async () => {
    const near = on('near', [0, 0, 20040])
    const all = await post({ query: [near], pagination: { size: 1 } })
    expect(all.body.pagination.total).toBe(PLACES.length - 1)
    const { body } = await post({ query: [{ operator: 'not', filters: [near] }], fields: ['id'] })
    expect(body.data).toEqual([{ id: 4 }])
  })

  test.each<[string, Json | undefined]>([
    ['near', [48, 2]],
    ['near', [48, 2, 0]],
    ['near', [48, 2, -1]],
    ['near', [48, 2, 20041]],
    ['near', [90.1, 2, 5]],
    ['near', [48, 180.5, 5]],
    ['near', ['NaN', 2, 5]],
    ['near', [48, 'Infinity', 5]],
    ['near', ['north', 2, 5]],
    ['near', [48, null, 5]],
    ['near', '48|2|5'],
    ['near', undefined],
    ['within', [49, 2, 48, 3]],
    ['within', [48, 2, 49]],
    ['within', [48, -181, 49, 3]],
  ])('is refused for %s %j, with the form', async (operator, value) => {
    expect(await faultOf({ query: [on(operator, value)] })).toMatch(
      operator === 'near' ? /takes lat\|lon\|km/ : /takes south\|west\|north\|east/,
    )
  })

  test('says what can’t be asked of locations, and what of them alone', async () => {
    expect(await faultOf({ query: [on('gt', 5)] })).toMatch(
      /"gt" does not suit "place", which is a location/,
    )
    expect(
      await faultOf({ query: [{ field: 'name', operator: 'near', value: [1, 2, 3] }] }),
    ).toMatch(/"near" does not suit "name"/)
    expect(await faultOf({ sort: [{ field: 'place' }] })).toMatch(
      /"place" has no order; sort by "place.\$distance"/,
    )
    const sort = [{ field: 'place.$distance' }]
    expect(await faultOf({ sort })).toMatch(/needs the condition "near" on "place"/)
    const either = { operator: 'or', filters: [on('near', [1, 2, 3]), on('isnull')] }
    expect(await faultOf({ sort, query: [either] })).toMatch(
      /needs the condition "near" on "place"/,
    )
    expect(await faultOf({ fields: ['name.$distance'] })).toMatch(/needs a location/)
    expect(
      await faultOf({ query: [{ field: 'place.$distance', operator: 'lt', value: 5 }] }),
    ).toMatch(/whose parts are "lat" and "lon"/)
  })

  test('takes what is hardly different from zero for zero', async () => {
    const { status, body } = await post({
      ...{ query: [on('near', [5e-324, -1e-200, 1])], fields: ['place', 'place.$distance'] },
    })
    expect(status).toBe(200)
    expect(body.data[0]).toEqual({ place: { lat: 0, lon: 0 }, 'place.$distance': 0 })
  })

  test('groups and counts equal places', async () => {
    const groupBy = { fields: ['place'], aggregate: [{ function: 'COUNT' }] }
    const { body } = await post({ groupBy, query: [on('within', [48, 2, 49, 3])] })
    expect(body.data).toEqual([
      { place: PLACES[0], count: 1 },
      { place: PLACES[1], count: 1 },
    ])
  })
})

test('a field that is hidden says nothing of its places', async () => {
  const define = async (policy: object) => {
    const base = {
      principals: ['Clerk'],
      actions: ['read'],
      entities: ['Spot'],
      name: crypto.randomUUID(),
    }
    const parsed = parsePolicy({ ...base, ...policy } as Json)
    if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
    await definePolicy(deps.db, parsed.definition, 'test')
  }
  await define({ fields: ['id', 'name'], where: [on('near', [48.8584, 2.2945, 5])] })
  const clerk = { authorization: `Bearer ${await testKey(deps, ['Clerk'])}` }
  const all = await post({ sort: [{ field: 'id' }] }, clerk)
  expect(all.body.data.map(({ id, place }: JsonObject) => [id, place])).toEqual([
    [1, undefined],
    [2, undefined],
  ])
  const near = on('near', [48.8584, 2.2945, 1])
  const unknown = /Unknown field "place/
  expect(await faultOf({ query: [near] }, clerk)).toMatch(unknown)
  expect(await faultOf({ query: [on('within', [48, 2, 49, 3])] }, clerk)).toMatch(unknown)
  // Nor from where the rule looks, which would be a secret of the policy.
  expect(await faultOf({ sort: [{ field: 'place.$distance' }] }, clerk)).toMatch(unknown)
  expect(await faultOf({ fields: ['id', 'place.$distance'] }, clerk)).toMatch(unknown)
})
