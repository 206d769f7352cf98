import { beforeAll, describe, expect, test } from 'vitest'
import { POST as RESTORE } from '@/app/api/trash/[batchId]/restore/route'
import { currentDeps, testDeps, testsOfCore } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { DELETE as DELETE_MANY } from './batch/route'
import { POST } from './route'
import { POST as SEARCH } from './search/route'

const deps = currentDeps()

const text = (name: string, more: object = {}) => ({ name, type: 'string', ...more })
const fixed = (...names: string[]) =>
  names.map((key) => ({ key, strategy: 'Fixed', type: 'string' }))
const toCity = (onDelete?: string) => ({
  reference: {
    entity: 'City',
    field: 'name',
    with: { country: 'country' },
    ...(onDelete ? { onDelete } : {}),
  },
})

const define = (entity: object, properties: object[], records: object[]) =>
  installTestEntity(deps, { entity, schema: { properties } }, records)

beforeAll(async () => {
  await testDeps()
  await define(
    { name: 'City', pks: fixed('country', 'name') },
    [text('mayor'), text('code'), text('zone')],
    [
      { country: 'DE', name: 'Bonn', mayor: 'Katja', code: 'B', zone: '1' },
      { country: 'DE', name: 'Ulm', mayor: 'Martin', code: 'U', zone: '1' },
      { country: 'US', name: 'Bonn', mayor: 'Ann', code: 'B', zone: '2' },
    ],
  )
  await define(
    { name: 'Person', pks: fixed('id') },
    [text('city', toCity()), text('country')],
    [
      { id: 'a', city: 'Bonn', country: 'DE' },
      { id: 'b', city: 'Bonn', country: 'US' },
      { id: 'c', city: 'Paris', country: null },
      { id: 'd', city: null, country: 'FR' },
    ],
  )
  await define(
    { name: 'Street', pks: fixed('country', 'city', 'name') },
    [text('city', toCity('cascade'))],
    [{ country: 'DE', city: 'Ulm', name: 'Ring' }],
  )
  await define(
    { name: 'Team', pks: fixed('country', 'id') },
    [text('city', toCity('setNull'))],
    [{ country: 'DE', id: '1', city: 'Ulm' }],
  )
})

const search = async (entityName: string, body: object) => {
  const sort = [{ field: 'persistenceId', direction: 'asc' }]
  const found = await call(deps, SEARCH, {
    method: 'POST',
    path: `/api/entities/${entityName}/search`,
    params: { entityName },
    body: entityName === 'Person' ? { sort, ...body } : body,
    as: 'ADMIN',
  })
  return found.body
}
const create = (entityName: string, body: object) =>
  call(deps, POST, {
    method: 'POST',
    path: `/api/entities/${entityName}`,
    params: { entityName },
    body,
    as: 'ADMIN',
  })
const deleteCity = (country: string, name: string, query = '') =>
  call(deps, DELETE_MANY, {
    method: 'DELETE',
    path: `/api/entities/City/batch${query}`,
    params: { entityName: 'City' },
    body: {
      entity: 'City',
      query: [
        { field: 'country', operator: 'eq', value: country },
        { field: 'name', operator: 'eq', value: name },
      ],
    },
    as: 'ADMIN',
  })

describe('a reference by several fields', () => {
  test('must lead to a record, unless one of the fields is empty', async () => {
    const refused = await create('Person', { id: 'x', city: 'Ulm', country: 'US' })
    expect([refused.status, refused.body.error]).toEqual([
      400,
      'city: "city" refers to "Ulm", with "country" "US", which is not in City',
    ])
    expect((await create('Person', { id: 'y', city: 'Ulm', country: 'DE' })).status).toBe(201)
  })

  test('is followed in fields, conditions and expansions', async () => {
    const found = await search('Person', {
      fields: ['id', 'city.mayor'],
      query: [{ field: 'city.country', operator: 'notNull' }],
      expand: ['city'],
    })
    expect(found.data.slice(0, 2)).toMatchObject([
      { id: 'a', 'city.mayor': 'Katja' },
      { id: 'b', 'city.mayor': 'Ann' },
    ])
    const whole = await search('Person', { expand: ['city'] })
    expect(whole.data.slice(0, 4)).toMatchObject([
      { id: 'a', city: { country: 'DE', mayor: 'Katja' } },
      { id: 'b', city: { country: 'US', mayor: 'Ann' } },
      { id: 'c', city: null },
      { id: 'd', city: null },
    ])
  })

  test.skipIf(testsOfCore())(
    'prevents a deletion, or goes along with it, and returns from the trash',
    async () => {
      const blocked = await deleteCity('US', 'Bonn')
      expect([blocked.status, blocked.body.meta.blockedBy]).toEqual([
        409,
        [{ entity: 'Person', field: 'city', count: 1 }],
      ])
      await deps.db.execute("delete from entities.person where id = 'y'")
      const planned = await deleteCity('DE', 'Ulm', '?dryRun=true')
      const effects = [
        { entity: 'Street', action: 'deleted', count: 1 },
        { entity: 'Team', field: 'city', action: 'emptied', count: 1 },
      ]
      expect(planned.body.meta.effects).toEqual(effects)
      const deleted = await deleteCity('DE', 'Ulm', '?undo=1d')
      expect(deleted.status).toBe(200)
      expect((await search('Street', {})).data).toEqual([])
      expect((await search('Team', {})).data).toMatchObject([{ country: 'DE', city: null }])

      const { batchId } = deleted.body.meta
      const restored = await call(deps, RESTORE, {
        method: 'POST',
        path: `/api/trash/${batchId}/restore`,
        params: { batchId },
        as: 'ADMIN',
      })
      expect(restored.status).toBe(200)
      expect((await search('Street', {})).data).toMatchObject([{ city: 'Ulm', name: 'Ring' }])
      expect((await search('Team', {})).data).toMatchObject([{ country: 'DE', city: 'Ulm' }])
    },
  )
})
