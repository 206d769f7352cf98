import { expect, test } from 'vitest'
import { install } from '@/app/api/plugins/testing/plugin-api'
import { recordsOf } from '@/app/api/plugins/testing/records'
import { rolledBack } from '@/app/api/plugins/testing/rollbacks'
import { deps, integer, text, version } from '@/app/api/plugins/testing/versions'
import { POST as RESTORE } from '@/app/api/trash/[batchId]/restore/route'
import { GET as TRASH } from '@/app/api/trash/route'
import { users } from '@/lib/db/schema'
import { call } from '@/lib/testing/request'
import { POST as APPLY } from './apply/route'
import { GET as DEFINITIONS } from './definitions/route'
import { GET as LAYERS } from './layers/route'
import { POST as PLAN } from './plan/route'

const SHOP = 'com.example.shop'
const SIZE = { name: 'Size', baseType: 'string', meta: { enum: ['S', 'L'] } }
const SHIRT = { name: 'Shirt', properties: [text('size', {}), integer('n')] }
const SIZED = { ...SHIRT, properties: [{ name: 'size', type: 'Size' }, integer('n')] }
const ROLE = { name: 'Tailor' }
const POLICY = {
  ...{ name: 'tailors', principals: ['Tailor'], entities: ['Shirt'], actions: ['read'] },
  allow: true,
}
const MODEL = {
  ...{ types: [SIZE], schemas: [SIZED], entities: [{ name: 'Shirt' }] },
  ...{ roles: [ROLE], policies: [POLICY] },
}
const type = { kind: 'type', name: 'Size' }
const role = { kind: 'role', name: 'Tailor' }
const policy = { kind: 'policy', name: 'tailors' }

const send = (handler: typeof PLAN, path: string, body: object, scopes?: string[]) =>
  call(deps, handler, {
    ...{ method: 'POST', path: `/api/model/${path}`, body, as: 'ADMIN' },
    ...(scopes ? { scopes } : {}),
  })
const plan = async (body: object) => (await send(PLAN, 'plan', body)).body.data.plan
const apply = (body: object, seal?: string) =>
  send(APPLY, seal ? `apply?seal=${encodeURIComponent(seal)}` : 'apply', body)
const names = async () => {
  const found = []
  for (const kind of ['type', 'role', 'policy']) {
    const read = await call(deps, DEFINITIONS, {
      path: `/api/model/definitions?kind=${kind}`,
      as: 'ADMIN',
    })
    found.push(...read.body.data.map(({ name }: { name: string }) => name))
  }
  return found
}
const layers = async () =>
  (await call(deps, LAYERS, { path: '/api/model/layers', as: 'ADMIN' })).body.data

test('a role and its policy are no longer in the next version, as planned, and its rollback brings them back', async () => {
  expect((await apply(MODEL)).status).toBe(200)
  const removed = [role, policy]
  const { seal, status, version: next, files } = await plan({ removed })
  expect([status, next]).toEqual(['SUCCESS', '1.1.0'])
  expect(files.at(-1).changes).toEqual(['Remove the role Tailor', 'Remove the policy tailors'])
  expect(JSON.stringify(files)).not.toContain('no longer defines')
  expect(await names()).toEqual(['Size', 'Tailor', 'tailors'])
  const { status: applied, body } = await apply({ removed }, seal)
  expect(applied).toBe(200)
  expect(await names()).toEqual(['Size'])
  const edited = await apply({ schemas: [{ ...SIZED, label: 'Shirts' }] })
  expect(edited.status).toBe(200)
  await rolledBack(edited.body.data.history)
  await rolledBack(body.data.history)
  expect(await names()).toEqual(['Size', 'Tailor', 'tailors'])
})

test('what is in use stays, and the plan says by what', async () => {
  await apply(MODEL)
  const refused = async (removed: object[], reason: string) => {
    const planned = await plan({ removed })
    expect.soft(planned.status).toBe('FAILED')
    expect.soft(JSON.stringify(planned.files.at(-1).details)).toContain(reason)
    const answer = await apply({ removed })
    expect.soft(answer).toMatchObject({ status: 409, body: { error: expect.any(String) } })
    expect.soft(answer.body.error.replaceAll('"', '')).toContain(reason.replaceAll('\\"', ''))
  }
  await refused([type], 'The field \\"size\\" of \\"Shirt\\" has the type')
  await refused([role], 'is used by the policy \\"tailors\\"')
  await deps.db.update(users).set({ roles: ['tailor', 'ADMIN'] })
  await refused([role, policy], 'is used by 5 users')
  await deps.db.update(users).set({ roles: ['ADMIN'] })
  expect((await apply({ schemas: [SHIRT] })).status).toBe(200)
  expect((await apply({ removed: [type, role, policy] })).status).toBe(200)
  expect(await names()).toEqual([])
})

test('with an entity, all goes to the trash and comes back together', async () => {
  await apply({ ...MODEL, entities: [{ name: 'Shirt' }, { name: 'Hat' }] })
  expect((await apply({ removed: ['Shirt', type, role, policy] })).status).toBe(200)
  expect(await names()).toEqual([])
  const [{ batchId }] = (await call(deps, TRASH, { path: '/api/trash', as: 'ADMIN' })).body.data
  const restored = await call(deps, RESTORE, {
    ...{ method: 'POST', path: `/api/trash/${batchId}/restore`, params: { batchId } },
    as: 'ADMIN',
  })
  expect(restored.status).toBe(200)
  expect(await names()).toEqual(['Size', 'Tailor', 'tailors'])
})

test('roles take the right to manage users, and a plan holds while the same would go', async () => {
  await apply(MODEL)
  const removed = [role, policy]
  expect((await send(PLAN, 'plan', { removed }, ['plugins:install'])).status).toBe(403)
  expect((await send(APPLY, 'apply', { removed }, ['plugins:install'])).status).toBe(403)
  const { seal } = await plan({ removed })
  expect((await apply({ removed: [policy] }, seal)).status).toBe(409)
  expect(await names()).toEqual(['Size', 'Tailor', 'tailors'])
})

test('a caller who may not read policies and keys is told their number', async () => {
  await apply({ ...MODEL, entities: [{ name: 'Shirt' }, { name: 'Hat' }] })
  const scopes = ['plugins:install', 'Shirt:delete']
  const warnings = async (rights: string[]) => {
    const { body } = await send(PLAN, 'plan', { removed: ['Shirt'] }, rights)
    return body.data.plan.files[0].warnings.map(({ message }: { message: string }) => message)
  }
  expect(await warnings(scopes)).toEqual([
    'What you may not read names what is removed, and stays: 1 policy, 1 API key',
  ])
  expect(await warnings([...scopes, 'security:manage'])).toEqual([
    'The policy tailors names what is removed, and stays',
    'What you may not read names what is removed, and stays: 2 API keys',
  ])
})

test('what was added to a plugin of another author is taken back with what was changed in it', async () => {
  const properties = [integer('id'), integer('n')]
  await install(deps, version({ properties }))
  const added = { plugin: SHOP, ...MODEL }
  expect((await apply(added)).status).toBe(200)
  const reference = text('shirt', { reference: { entity: 'Shirt', field: 'id' } })
  const more = [...properties, { ...reference, type: 'integer' }]
  expect(
    (await apply({ plugin: SHOP, schemas: [{ name: 'Thing', properties: more }] })).status,
  ).toBe(200)
  const shirts = recordsOf(deps, 'Shirt')
  expect((await shirts.create({ size: 'S', n: 1 })).status).toBe(201)
  const entity = { plugin: SHOP, reverted: [{ kind: 'entity', name: 'Shirt' }] }
  expect((await plan(entity)).status).toBe('FAILED')
  expect((await apply(entity)).status).toBe(409)

  const [{ changes }] = await layers()
  const reverted = changes.map(({ kind, name }: { kind: string; name: string }) => ({ kind, name }))
  const { seal, status, files } = await plan({ plugin: SHOP, reverted })
  expect([status, files.at(-1).changes]).toEqual([
    'SUCCESS',
    expect.arrayContaining(['Move the entity Shirt with its records (1) to the trash']),
  ])
  expect((await apply({ plugin: SHOP, reverted }, seal)).status).toBe(200)
  expect(await layers()).toEqual([])
  expect(await names()).toEqual([])
  expect((await shirts.read('1')).status).toBe(404)
  const again = await apply({
    plugin: SHOP,
    schemas: [{ name: 'Thing', properties: more.slice(0, 2) }],
  })
  expect(again.status).toBe(200)
  const [{ batchId }] = (await call(deps, TRASH, { path: '/api/trash', as: 'ADMIN' })).body.data
  const restored = await call(deps, RESTORE, {
    ...{ method: 'POST', path: `/api/trash/${batchId}/restore`, params: { batchId }, as: 'ADMIN' },
  })
  expect(restored.status).toBe(200)
  expect((await shirts.read('1')).body.data[0]).toMatchObject({ size: 'S', n: 1 })
})
