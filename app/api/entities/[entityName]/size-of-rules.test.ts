import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { GET as READ } from '@/app/api/entities/[entityName]/[id]/route'
import { GET, POST } from '@/app/api/entities/[entityName]/route'
import { POST as CREATE } from '@/app/api/policies/route'
import { currentActor } from '@/lib/auth/load-actor'
import { rows } from '@/lib/db/sql'
import { listEntities } from '@/lib/registry/registry'
import { restrictedTarget } from '@/lib/search/restricted-target'
import { extraSql, fromSql } from '@/lib/search/sql-terms'
import { call, testKey } from '@/lib/testing/request'
import { allow, clerk, defineOrders, deps } from './testing/branches'

const list = (headers: Record<string, string>, query = 'sort=id') =>
  call(deps, GET, {
    path: `/api/entities/Order?${query}`,
    headers,
    params: { entityName: 'Order' },
  })

const names = (count: number, start = 'hidden') =>
  Array.from({ length: count }, (_, at) => `${start}${at}`)

/** Conditions of which only the first holds of some record: those of `total` 30. */
const conditions = (count: number, start = 100_000) => ({
  operator: 'or',
  filters: Array.from({ length: count }, (_, at) => ({
    field: 'total',
    operator: 'eq',
    value: at === 0 ? 30 : start + at,
  })),
})

const denial = (count: number, start = 'hidden', tests = 63) => ({
  entities: ['Order'],
  allow: false,
  where: [conditions(tests, 100_000 + start.length * 1000)],
  fields: names(count, start),
})

test('says once what is said of many undeclared fields', async () => {
  await defineOrders({}, [
    { id: 6, total: 30, hidden0: 'a', other0: 1 },
    { id: 7, total: 31, hidden0: null, hidden1: { a: null }, hidden59: 'b', other0: 2 },
  ])
  await allow({ entities: ['Order'] })
  await allow(denial(60))
  await allow({ ...denial(1, 'other'), where: [{ field: 'id', operator: 'eq', value: 7 }] })
  const headers = await clerk()
  const found = await list(headers)
  expect(found.status).toBe(200)
  const [sixth, seventh] = found.body.data.slice(-2)
  expect(sixth).toMatchObject({ id: 6, other0: 1 })
  expect(sixth).not.toHaveProperty('hidden0')
  expect(seventh).toMatchObject({ id: 7, hidden1: { a: null }, hidden59: 'b' })
  expect(seventh).toHaveProperty('hidden0', null)
  expect(seventh).not.toHaveProperty('other0')
  expect(seventh).not.toHaveProperty('hidden2')

  const entities = await listEntities(deps)
  const [order] = entities.filter(({ name }) => name === 'Order')
  const actor = await currentActor({ headers: new Headers(headers) }, deps)
  if (!order || !actor) throw new Error('Is not there')
  const shownBy = async (entity: typeof order) => {
    const target = restrictedTarget(entity, actor, [...entities, entity])
    const shown = sql`select ${extraSql(target)} as "shown" from ${fromSql(target)} order by id`
    return {
      values: new PgDialect().sqlToQuery(shown).params.length,
      shown: await rows(deps.db, shown),
    }
  }
  const [usual, onNodes] = [await shownBy(order), await shownBy({ ...order, isDistributed: true })]
  expect(onNodes.shown).toEqual(usual.shown)
  expect(usual.values).toBeLessThan(200)
  expect(onNodes.values).toBeLessThan(400)
})

test('more than can be carried out is refused, and other entities are not concerned', async () => {
  await allow({ entities: ['*'], actions: ['*'] })
  await allow({ ...denial(62), actions: ['*'] })
  const headers = await clerk()
  expect((await list(headers)).status).toBe(200)
  await allow({ ...denial(62, 'further'), actions: ['*'] })
  const params = { entityName: 'Order' }
  const written = await call(deps, POST, {
    method: 'POST',
    path: '/api/entities/Order',
    body: { id: 9 },
    headers,
    params,
  })
  const one = await call(deps, READ, {
    path: '/api/entities/Order/1',
    headers,
    params: { ...params, id: '1' },
  })
  const followed = await call(deps, GET, {
    path: '/api/entities/Branch?sort=code',
    headers,
    params: { entityName: 'Branch' },
  })
  const found = await list(headers)
  expect([found.status, one.status, written.status, followed.status]).toEqual([403, 403, 403, 200])
  expect(found.text).toContain('say too much about rows and single fields')
})

test('so is one with too many conditions on rows, and one that hides too many fields', async () => {
  for (let n = 0; n < 32; n++)
    await allow({ entities: ['Order'], where: [conditions(63, n * 1000 + 100_000)] })
  expect((await list(await clerk())).status).toBe(403)
  for (let n = 0; n < 17; n++)
    await allow({
      principals: ['Temp'],
      entities: ['Order'],
      allow: false,
      fields: names(250, `h${n}_`),
    })
  await allow({ principals: ['Temp'], entities: ['Order'] })
  expect((await list(await clerk({}, ['Temp']))).status).toBe(403)
})

test('a policy that is too large by itself is refused', async () => {
  const headers = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
  const create = (fields: object, allow = false) =>
    call(deps, CREATE, {
      method: 'POST',
      path: '/api/policies',
      headers,
      body: {
        ...denial(1),
        name: crypto.randomUUID(),
        principals: ['Clerk'],
        actions: ['read'],
        fields,
        allow,
      },
    })
  const refused = await create(names(64))
  expect(refused.status).toBe(400)
  expect(refused.body.validations).toEqual([
    {
      field: 'fields',
      error: 'Hides 64 fields by 63 conditions each; the product is at most 4000',
    },
  ])
  const others = [await create(names(63)), await create({ except: names(200) })]
  expect([...others, await create(names(64), true)].map(({ status }) => status)).toEqual([
    201, 201, 201,
  ])
})
