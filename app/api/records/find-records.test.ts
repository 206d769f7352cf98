import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { definePolicy } from '@/lib/policies/define-policy'
import { parsePolicy } from '@/lib/policies/parse-policy'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { GET } from './route'

const deps = freshDeps()

const ISO = [{ key: 'code', strategy: 'Fixed', type: 'string' }]
const LAND = {
  entity: { name: 'Land', pks: ISO },
  schema: { properties: [{ name: 'name', type: 'string' }] },
}
const TOWN = {
  entity: { name: 'Town' },
  schema: {
    properties: [
      { name: 'motto', type: 'string' },
      { name: 'name', type: 'string', meta: { searchable: true } },
      { name: 'people', type: 'integer' },
    ],
  },
}
const SECRET = {
  entity: { name: 'Secret', permissions: { read: false } },
  schema: { properties: [{ name: 'name', type: 'string' }] },
}

beforeEach(async () => {
  await installTestEntity(deps, LAND, [
    { code: 'DE', name: 'Germany' },
    { code: 'AT', name: 'Austria' },
  ])
  await installTestEntity(deps, TOWN, [
    { id: 7, name: 'Bergen', motto: 'Austria', people: 9 },
    { id: 8, name: 'Heidelberg', motto: null, people: 7 },
  ])
  await installTestEntity(deps, SECRET, [{ id: 7, name: 'Austria' }])
})

async function find(term: string, roles = ['ADMIN']) {
  const authorization = `Bearer ${await testKey(deps, roles)}`
  const path = `/api/records?term=${encodeURIComponent(term)}`
  return call(deps, GET, { path, headers: { authorization } })
}

describe('records of any entity are found', () => {
  test('by a part of a text, in any case: searchable fields go before the first ones', async () => {
    const { status, body } = await find('BERG')
    expect(status).toBe(200)
    expect(body.data).toEqual([
      { entity: 'Town', persistenceId: '7', title: 'Bergen' },
      { entity: 'Town', persistenceId: '8', title: 'Heidelberg' },
    ])
    expect((await find('austria')).body.data).toEqual([
      { entity: 'Land', persistenceId: 'AT', title: 'Austria' },
    ])
  })

  test('by their key, a number or a text', async () => {
    expect((await find('7')).body.data).toEqual([
      { entity: 'Town', persistenceId: '7', title: 'Bergen' },
    ])
    expect((await find('DE')).body.data[0]).toEqual({
      entity: 'Land',
      persistenceId: 'DE',
      title: 'Germany',
    })
  })

  test('in one entity alone, which is named before a colon', async () => {
    expect(
      (await find('town: e')).body.data.map((each: { entity: string }) => each.entity),
    ).toEqual(['Town', 'Town'])
    await installTestEntity(deps, { entity: { name: 'Note' }, schema: LAND.schema }, [
      { id: 1, name: 'Twon: e' },
    ])
    expect((await find('Twon: e')).body.data).toMatchObject([{ entity: 'Note' }])
  })

  test('five of an entity, patterns taken literally', async () => {
    await deps.db.execute(
      sql`insert into entities.land (code, name) select 'x' || i, 'Isle 100%_' || i from generate_series(1, 30) i`,
    )
    expect((await find('100%_')).body.data).toHaveLength(5)
    expect((await find('1%0')).body.data).toEqual([])
  })

  test('but not where the caller may not read, nor the entity says so', async () => {
    expect((await find('Austria', ['NOBODY'])).body.data).toEqual([])
    expect(JSON.stringify((await find('Austria')).body)).not.toContain('Secret')
  })

  test('a large table without searchable fields is searched by key, and said to be', async () => {
    await deps.db.execute(
      sql`insert into entities.land (code, name) select 'y' || i, 'Part ' || i from generate_series(1, 50001) i`,
    )
    const { body } = await find('y77')
    expect(body.data).toEqual([{ entity: 'Land', persistenceId: 'y77', title: 'Part 77' }])
    expect(body.meta.incomplete).toEqual(['Land'])
    expect((await find('Part 77')).body.data).toEqual([])
    // To who may read one record of it, it is small.
    const where = [{ field: 'code', operator: 'eq', value: 'DE' }]
    const policy = { name: 'One', principals: ['Clerk'], entities: ['Land'], actions: ['read'] }
    const parsed = parsePolicy({ ...policy, where })
    if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
    await definePolicy(deps.db, parsed.definition, 'test')
    const seen = await find('many', ['Clerk'])
    expect([seen.body.data.length, seen.body.meta.incomplete]).toEqual([1, []])
  })
})

test('a term is needed', async () => {
  for (const term of ['', '   ', 'x'.repeat(201)]) expect((await find(term)).status).toBe(400)
})
