import { beforeAll, expect, test } from 'vitest'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { GET } from './columns/route'

const deps = currentDeps()

const pks = [{ key: 'code', strategy: 'Fixed', type: 'string' }]
const to = (onDelete?: string) => ({
  reference: { entity: 'Country', field: 'code', ...(onDelete ? { onDelete } : {}) },
})

beforeAll(async () => {
  await testDeps()
  const install = (name: string, properties: object[], more: object = {}) =>
    installTestEntity(deps, { entity: { name, ...more }, schema: { properties } })
  await install('Country', [{ name: 'name', type: 'string' }], { pks })
  await install('Town', [{ name: 'land', label: 'Land', type: 'string', meta: to('cascade') }])
  await install('Flight', [
    { name: 'from', type: 'string', meta: to() },
    { name: 'to', type: 'string', meta: to('setNull') },
  ])
  await install('Secret', [{ name: 'country', type: 'string', meta: to() }])
  await install('Closed', [{ name: 'country', type: 'string', meta: to() }], {
    permissions: { read: false },
  })
})

const referencedBy = async (entityName: string, roles: string[], scopes?: string[]) => {
  const response = await call(deps, GET, {
    path: `/api/entities/${entityName}/columns`,
    params: { entityName },
    headers: { authorization: `Bearer ${await testKey(deps, roles, scopes)}` },
  })
  return response.body.meta.referencedBy as { entity: string; field: string }[]
}

test('the fields of an entity come with those that refer to it', async () => {
  const found = await referencedBy('Country', ['ADMIN'])
  const reference = { entity: 'Country', field: 'code' }
  expect(found).toEqual([
    { entity: 'Flight', field: 'from', label: null, reference, relation: 'FlightByFrom' },
    {
      entity: 'Flight',
      field: 'to',
      label: null,
      reference: { ...reference, onDelete: 'setNull' },
      relation: 'FlightByTo',
    },
    { entity: 'Secret', field: 'country', label: null, reference, relation: 'SecretByCountry' },
    {
      entity: 'Town',
      field: 'land',
      label: 'Land',
      reference: { ...reference, onDelete: 'cascade' },
      relation: 'TownByLand',
    },
  ])
  expect(await referencedBy('Town', ['ADMIN'])).toEqual([])
})

test('entities that the caller may not read are not named', async () => {
  const found = await referencedBy('Country', ['ADMIN'], ['Country:read', 'Town:read'])
  expect(found.map(({ entity }) => entity)).toEqual(['Town'])
})

test('one that deletions leave as it is says why', async () => {
  const both = [
    ['Egg', 'Hen'],
    ['Hen', 'Egg'],
  ]
  for (const [name, other] of both) {
    const field = { name: 'other', type: 'integer', reference: { entity: other, field: 'id' } }
    await installTestEntity(deps, { entity: { name }, schema: { properties: [field] } })
  }
  expect(await referencedBy('Hen', ['ADMIN'])).toMatchObject([
    { entity: 'Egg', field: 'other', loose: 'Egg and Hen refer to each other' },
  ])
})
