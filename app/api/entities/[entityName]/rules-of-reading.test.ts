import { describe, expect, test } from 'vitest'
import { GET as READ } from '@/app/api/entities/[entityName]/[id]/route'
import { GET as COLUMNS } from '@/app/api/entities/[entityName]/columns/route'
import { POST as COUNT } from '@/app/api/entities/[entityName]/count/route'
import { POST as EXPORT } from '@/app/api/entities/[entityName]/export/route'
import { GET } from '@/app/api/entities/[entityName]/route'
import { POST } from '@/app/api/entities/[entityName]/search/route'
import { currentActor } from '@/lib/auth/load-actor'
import { policies, users } from '@/lib/db/schema'
import type { Entity } from '@/lib/definitions/definition'
import { listEntities } from '@/lib/registry/registry'
import { restrictedTarget } from '@/lib/search/restricted-target'
import { countRoundTrips } from '@/lib/testing/count-round-trips'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { allow, clerk, deps } from './testing/branches'

type Headers = Record<string, string>

const search = async (headers: Headers, body: object = {}, entity = 'Order') =>
  call(deps, POST, {
    method: 'POST',
    path: `/api/entities/${entity}/search`,
    body,
    headers,
    params: { entityName: entity },
  })

const get = (headers: Headers, query: string, entity = 'Order') =>
  call(deps, GET, {
    path: `/api/entities/${entity}?${query}`,
    headers,
    params: { entityName: entity },
  })

const readOne = (headers: Headers, id: string, query = '', entity = 'Order') =>
  call(deps, READ, {
    path: `/api/entities/${entity}/${id}?${query}`,
    headers,
    params: { entityName: entity, id },
  })

const idsOf = ({ body }: { body: { data: { id: number }[] } }) => body.data.map(({ id }) => id)

const OWN_BRANCH = {
  entities: ['Order'],
  where: [{ field: 'branch', operator: 'eq', value: '$me.profile.branch' }],
}

describe('rows', () => {
  test('of which a caller sees none are none, in their entity and in those that refer to it', async () => {
    const none = [{ field: 'region', operator: 'eq', value: '$me.profile.region' }]
    await allow({ entities: ['Order'] })
    await allow({ entities: ['Branch'], where: none })
    const sort = [{ field: 'branch.region', direction: -1 }]
    const fields = ['id', 'branch.region']
    const found = await search(await clerk(), { sort, fields, count: 'estimated' })
    expect([found.status, idsOf(found).length]).toEqual([200, 5])
    expect(found.text).not.toContain('north')
    const where = [{ field: 'branch', operator: 'eq', value: '$me.profile.branch' }]
    await allow({ entities: ['Order'], allow: false, where })
    const empty = await search(await clerk(), { sort, count: 'estimated' })
    expect([empty.status, empty.body.data]).toEqual([200, []])
  })

  test('that a policy does not concern are as if they did not exist', async () => {
    await allow(OWN_BRANCH)
    const headers = await clerk({ branch: 'N1' })
    const found = await search(headers, { sort: [{ field: 'total', direction: -1 }] })
    expect(idsOf(found)).toEqual([2, 1])
    expect(found.body.pagination).toMatchObject({ total: 2, pages: 1, last: true })
    expect((await readOne(headers, '1')).status).toBe(200)
    const [hidden, none] = [await readOne(headers, '4'), await readOne(headers, '400')]
    expect([hidden.status, none.status]).toEqual([404, 404])
    const told = ({ body: { timestamp: _, ...body } }: typeof none) => JSON.stringify(body)
    expect(told(hidden)).toBe(told(none).replaceAll('400', '4'))
    const count = await call(deps, COUNT, {
      method: 'POST',
      path: '/api/entities/Order/count',
      body: { query: [{ field: 'total', operator: 'gte', value: 20 }] },
      headers,
      params: { entityName: 'Order' },
    })
    expect(count.body.data).toEqual([{ count: 1 }])
    const groups = await search(headers, {
      groupBy: { fields: ['branch'], aggregate: [{ function: 'COUNT', alias: 'n' }] },
    })
    expect(groups.body.data).toEqual([{ branch: 'N1', n: 2 }])
  })

  test('follow a change of the profile at once', async () => {
    await allow(OWN_BRANCH)
    const headers = await clerk({ branch: 'N1' })
    expect(idsOf(await get(headers, 'sort=id'))).toEqual([1, 2])
    await deps.db.update(users).set({ profile: { branch: 'S1' } })
    await expect.poll(async () => idsOf(await get(headers, 'sort=id'))).toEqual([4, 5])
  })

  test('are none without the value that a policy compares with, also inside of not', async () => {
    const where = [{ operator: 'not', filters: OWN_BRANCH.where }]
    await allow({ ...OWN_BRANCH, where })
    expect(idsOf(await get(await clerk({ branch: 'N1' }), 'sort=id'))).toEqual([3, 4, 5])
    expect(idsOf(await get(await clerk({}), 'sort=id'))).toEqual([])
    expect(idsOf(await get(await clerk({ branch: { no: 'text' } }), 'sort=id'))).toEqual([])
  })

  test('of several policies add up, and what a policy denies goes', async () => {
    await allow(OWN_BRANCH)
    await allow({ entities: ['Order'], where: [{ field: 'total', operator: 'gte', value: 40 }] })
    await allow({
      entities: ['Order'],
      allow: false,
      where: [{ field: 'id', operator: 'eq', value: 5 }],
    })
    expect(idsOf(await get(await clerk({ branch: 'N1' }), 'sort=id'))).toEqual([1, 2, 4])
  })

  test('by what they refer to', async () => {
    await allow({
      entities: ['Order'],
      where: [{ field: 'branch.region', operator: 'eq', value: '$me.profile.region' }],
    })
    const headers = await clerk({ region: 'south' })
    expect(idsOf(await get(headers, 'sort=total:desc'))).toEqual([5, 4])
    expect((await readOne(headers, '4')).status).toBe(200)
    expect((await readOne(headers, '1')).status).toBe(404)
    // The branch itself may not be read, so no condition follows it.
    expect((await get(headers, 'filter=branch.budget:gt:1')).status).toBe(403)
  })

  test('that are hidden are not referred to, expanded or found by what they hold', async () => {
    await allow({ entities: ['Order'] })
    await allow({
      entities: ['Branch'],
      where: [{ field: 'region', operator: 'eq', value: 'south' }],
    })
    const headers = await clerk()
    expect(idsOf(await get(headers, 'filter=branch.budget:gt:1&sort=id'))).toEqual([4, 5])
    expect(idsOf(await get(headers, 'filter=branch.region:isnull&sort=id'))).toEqual([1, 2, 3])
    const { body } = await get(headers, 'expand=branch&sort=id')
    expect(body.data.map(({ branch }: { branch: unknown }) => branch)).toMatchObject([
      null,
      null,
      null,
      { code: 'S1' },
      { code: 'S1' },
    ])
    const single = await readOne(headers, '1', 'expand=branch')
    expect(single.body.data[0].branch).toBeNull()
  })
})

describe('fields', () => {
  test('that are hidden are unknown, and absent from records', async () => {
    await allow({ entities: ['Order'], fields: { except: ['margin', 'remark'] } })
    const headers = await clerk()
    const { body } = await get(headers, 'sort=id')
    expect(body.data[0]).toEqual({
      id: 1,
      persistenceId: '1',
      branch: 'N1',
      total: 10,
      ownerId: null,
      note: 'one',
    })
    expect(JSON.stringify(body)).not.toMatch(/margin|remark/)
    for (const query of [
      'filter=margin:eq:1',
      'sort=margin',
      'fields=margin',
      'filter=remark:eq:two',
    ]) {
      const refused = await get(headers, query)
      expect(refused.status).toBe(400)
      expect(refused.text).toContain('Unknown field')
    }
    const near = await get(headers, 'filter=margins:eq:1')
    expect(near.text.replaceAll('margins', '')).not.toContain('margin')
    const columns = await call(deps, COLUMNS, {
      path: '/api/entities/Order/columns',
      headers,
      params: { entityName: 'Order' },
    })
    expect(columns.text).not.toMatch(/margin|remark/)
    const one = await readOne(headers, '2')
    expect(Object.keys(one.body.data[0]).sort()).toEqual(
      ['branch', 'id', 'ownerId', 'persistenceId', 'total'].sort(),
    )
  })

  test('of a list are all there are, with the key', async () => {
    await allow({ entities: ['Order'], fields: ['total', 'note'] })
    const { body } = await get(await clerk(), 'sort=id&size=2')
    expect(body.data).toEqual([
      { id: 1, persistenceId: '1', total: 10, note: 'one' },
      { id: 2, persistenceId: '2', total: 20 },
    ])
  })

  test('that some rows show are absent from the others, and compare as nothing', async () => {
    await allow({ entities: ['Order'], fields: ['branch', 'total'] })
    await allow({ ...OWN_BRANCH, fields: ['margin', 'total'] })
    const headers = await clerk({ branch: 'N1' })
    const { body } = await get(headers, 'sort=id')
    expect(body.data).toEqual([
      { id: 1, persistenceId: '1', branch: 'N1', total: 10, margin: 1 },
      { id: 2, persistenceId: '2', branch: 'N1', total: 20, margin: 2 },
      { id: 3, persistenceId: '3', branch: 'N2', total: 30 },
      { id: 4, persistenceId: '4', branch: 'S1', total: 40 },
      { id: 5, persistenceId: '5', branch: 'S1', total: 50 },
    ])
    expect(idsOf(await get(headers, 'filter=margin:gte:2'))).toEqual([2])
    expect(idsOf(await get(headers, 'filter=margin:isnull&sort=id'))).toEqual([3, 4, 5])
    expect(idsOf(await get(headers, 'sort=margin:desc,id'))).toEqual([2, 1, 3, 4, 5])
    const chosen = await get(headers, 'fields=margin&sort=id&size=3')
    expect(chosen.body.data).toEqual([{ margin: 1 }, { margin: 2 }, {}])
    const sum = await search(headers, {
      groupBy: { fields: [], aggregate: [{ function: 'SUM', field: 'margin', alias: 'sum' }] },
    })
    expect(sum.body.data).toEqual([{ sum: 3 }])
    expect((await readOne(headers, '3')).body.data[0]).not.toHaveProperty('margin')
    const csv = await call(deps, EXPORT, {
      method: 'POST',
      path: '/api/entities/Order/export?format=csv',
      body: { sort: [{ field: 'id' }] },
      headers,
      params: { entityName: 'Order' },
    })
    expect(csv.text.split('\r\n').slice(0, 4)).toEqual([
      'id,branch,total,margin,persistenceId',
      '1,N1,10,1,1',
      '2,N1,20,2,2',
      '3,N2,30,,3',
    ])
  })

  test('of referred records follow the rule of their entity', async () => {
    await allow({ entities: ['Order'] })
    await allow({ entities: ['Branch'], fields: ['region'] })
    const headers = await clerk()
    const { body } = await get(headers, 'expand=branch&filter=id:eq:1')
    expect(body.data[0].branch).toEqual({ code: 'N1', region: 'north', persistenceId: 'N1' })
    expect((await get(headers, 'filter=branch.budget:gt:1')).status).toBe(400)
    expect((await get(headers, 'sort=branch.budget')).status).toBe(400)
    expect((await get(headers, 'fields=branch.budget')).status).toBe(400)
  })
})

test('policies that no longer fit the entity deny', async () => {
  await allow({ entities: ['Order'], name: 'before' })
  const headers = await clerk()
  expect(idsOf(await get(headers, ''))).toHaveLength(5)
  const definition = {
    name: 'before',
    principals: ['Clerk'],
    entities: ['Order'],
    actions: ['read'],
    allow: true,
    priority: 0,
    where: [{ field: 'removed', operator: 'eq', value: 1 }],
  } as never
  await deps.db.update(policies).set({ definition })
  await expect.poll(async () => idsOf(await get(headers, ''))).toEqual([])
})

test('callers with different rules never share pages or totals', async () => {
  await allow(OWN_BRANCH)
  await allow({ entities: ['Order'], principals: ['Auditor'], fields: { except: ['margin'] } })
  await allow({ entities: ['Order'], principals: ['Chief'] })
  const [chief, auditor] = [await clerk({}, ['Chief']), await clerk({}, ['Auditor'])]
  for (let at = 0; at < 4; at++) {
    const all = await get(chief, 'filter=total:gte:20&sort=id')
    expect(all.body.pagination.total).toBe(4)
    expect(all.text).toContain('margin')
    const audited = await get(auditor, 'filter=total:gte:20&sort=id')
    expect(audited.body.pagination.total).toBe(4)
    expect(audited.text).not.toContain('margin')
  }
})

test('of a hundred policies a rule is made once, and no statement is added', async () => {
  await allow({ entities: ['Order'], principals: ['Chief'] })
  for (let at = 0; at < 50; at++) {
    const entities = [at === 0 ? 'Order' : `Other${at}`]
    const properties = [{ name: 'branch', type: 'string' }]
    if (at > 0)
      await installTestEntity(deps, { entity: { name: `Other${at}` }, schema: { properties } })
    const where = [{ field: 'branch', operator: 'eq', value: '$me.profile.branch' }]
    await allow({ entities, where, fields: { except: ['margin'] } })
    await allow({
      entities,
      allow: false,
      where: [{ field: 'id', operator: 'eq', value: -at - 1 }],
    })
  }
  const [headers, chief] = [await clerk({ branch: 'N1' }), await clerk({}, ['Chief'])]
  for (const each of [headers, chief]) await get(each, 'filter=total:gte:1')
  const statements = (each: Headers) => countRoundTrips(deps, () => get(each, 'filter=total:gte:1'))
  await expect.poll(() => statements(headers)).toBe(1)
  await expect.poll(() => statements(chief)).toBe(1)

  // Without the memory of credentials.
  const bus = { ...deps.bus }
  const load = () => currentActor({ headers: new Headers(headers) }, { ...deps, bus: { ...bus } })
  const [one, again] = [await load(), await load()]
  if (!one || !again) throw new Error('no caller')
  const entities = await listEntities(deps)
  const order = entities.find(({ name }) => name === 'Order') as Entity
  expect(restrictedTarget(order, one, entities)).toBe(restrictedTarget(order, again, entities))
})
