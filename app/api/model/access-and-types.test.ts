import { expect, test } from 'vitest'
import { install } from '@/app/api/plugins/testing/plugin-api'
import { recordsOf } from '@/app/api/plugins/testing/records'
import { rolledBack } from '@/app/api/plugins/testing/rollbacks'
import { deps } from '@/app/api/plugins/testing/versions'
import { pluginFiles } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { POST as APPLY } from './apply/route'
import { GET as DEFINITIONS } from './definitions/route'
import { GET as LAYERS } from './layers/route'
import { POST as PLAN } from './plan/route'

const plugin = 'com.example.shop'
const ROLE = { name: 'Clerk', label: 'Clerk', since: 2020 }
const POLICY = {
  ...{ name: 'clerks', principals: ['Clerk'], entities: ['Thing'], actions: ['read'] },
  ...{ allow: true, priority: 3, fields: ['n'] },
}
const GRADE = { name: 'Grade', baseType: 'string', meta: { enum: ['A', 'B'] } }
const SCHEMA = {
  name: 'Thing',
  properties: [
    { name: 'n', type: 'integer' },
    { name: 'grade', type: 'Grade' },
  ],
}
const shop = (policy: object = POLICY, grade: object = GRADE, role: object = ROLE) =>
  pluginFiles({
    EngineTypes: { files: { 'Grade.json': grade } },
    EngineSchemas: {
      files: {
        'Thing.json': SCHEMA,
      },
    },
    EngineEntities: { files: { 'Thing.json': { name: 'Thing' } } },
    EngineRoles: { files: { 'Clerk.json': role } },
    EnginePolicies: { files: { 'clerks.json': policy } },
  })
const things = recordsOf(deps, 'Thing')

const post = (handler: typeof PLAN, name: string, body: object, scopes?: string[]) =>
  call(deps, handler, {
    ...{ method: 'POST', path: `/api/model/${name}`, as: 'ADMIN', ...(scopes ? { scopes } : {}) },
    body: { plugin, ...body },
  })
async function apply(body: object): Promise<number> {
  const answer = await post(APPLY, 'apply', body)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.data.history
}
const read = async (kind: string, query = '') =>
  (
    await call(deps, DEFINITIONS, {
      path: `/api/model/definitions?kind=${kind}${query}`,
      as: 'ADMIN',
    })
  ).body.data
const definitionOf = async (kind: string) => (await read(kind))[0].definition
const upgrade = async (files: ReturnType<typeof shop>) =>
  expect((await install(deps, files)).body).toMatchObject({ data: { failedCount: 0 } })

test('roles, policies and types of a plugin are changed in its next version, which its author’s next one is merged with', async () => {
  const first = await install(deps, shop())
  expect(await read('policy')).toEqual([
    {
      ...{ kind: 'policy', name: 'clerks', plugin, definition: POLICY },
      lastHistoryId: first.body.data.history,
    },
  ])
  const policies = [{ ...POLICY, principals: ['Clerk', 'Buyer'], fields: ['n', 'grade'] }]
  const roles = [{ ...ROLE, label: 'Office' }]
  const types = [{ ...GRADE, meta: { enum: ['A', 'B', 'C'] } }]
  const planned = await post(PLAN, 'plan', { policies, roles, types })
  expect(planned.body.data.plan).toMatchObject({ status: 'SUCCESS' })
  expect(JSON.stringify(planned.body)).toContain('Change Thing.grade, of the type Grade: enum')
  const id = await apply({ policies, roles, types })
  expect(await definitionOf('policy')).toEqual(policies[0])
  expect(await definitionOf('role')).toEqual(roles[0])
  expect((await things.create({ grade: 'C' })).status).toBe(201)

  const grade = { ...GRADE, meta: { enum: ['A', 'B', 'D'] } }
  await upgrade(shop({ ...POLICY, priority: 7 }, grade, { ...ROLE, description: 'Sells' }))
  expect(await definitionOf('policy')).toEqual({ ...policies[0], priority: 7 })
  expect(await definitionOf('role')).toEqual({ ...roles[0], description: 'Sells' })
  expect((await definitionOf('type')).meta.enum.sort()).toEqual(['A', 'B', 'C', 'D'])
  const layers = await call(deps, LAYERS, { path: '/api/model/layers', as: 'ADMIN' })
  expect(layers.body.data[0].changes.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
    ...['policy', 'role', 'schema', 'type'],
  ])
  await apply({ reverted: [{ kind: 'policy', name: 'clerks' }] })
  expect(await definitionOf('policy')).toEqual({ ...POLICY, priority: 7 })
  expect(id).toBeGreaterThan(0)
})

test('a schema that is taken back follows its types, and of a type that is taken back nothing is left', async () => {
  await install(deps, shop())
  const properties = [...SCHEMA.properties, { name: 'shade', type: 'Grade' }]
  await apply({ schemas: [{ ...SCHEMA, properties }] })
  await apply({ reverted: [{ kind: 'schema', name: 'Thing' }] })
  const types = [{ ...GRADE, meta: { enum: ['A', 'B', 'C'] } }]
  const planned = await post(PLAN, 'plan', { types })
  expect(JSON.stringify(planned.body)).toContain('Change Thing.grade, of the type Grade: enum')
  await apply({ types })
  await upgrade(shop(POLICY, { ...GRADE, meta: { enum: ['A', 'B', 'D'] } }))
  await apply({ reverted: [{ kind: 'type', name: 'Grade' }] })
  const layers = await call(deps, LAYERS, { path: '/api/model/layers', as: 'ADMIN' })
  expect(layers.body.data).toEqual([])
})

test('what a policy says is rolled back with its version', async () => {
  await install(deps, shop())
  const id = await apply({ policies: [{ ...POLICY, allow: false }] })
  await rolledBack(id)
  expect(await definitionOf('policy')).toEqual(POLICY)
})

test('a type, a role and a policy are made in a local plugin', async () => {
  const types = [{ name: 'Size', baseType: 'string', meta: { enum: ['S', 'L'] } }]
  const schemas = [{ name: 'Shirt', properties: [{ name: 'size', type: 'Size' }] }]
  const roles = [{ name: 'Tailor' }]
  const policies = [
    { ...POLICY, name: 'tailors', principals: ['Tailor'], entities: ['Shirt'], fields: ['size'] },
  ]
  await apply({ plugin: 'local.model', types })
  await apply({ plugin: 'local.model', schemas, entities: [{ name: 'Shirt' }], roles, policies })
  const shirts = recordsOf(deps, 'Shirt')
  expect((await shirts.create({ size: 'M' })).status).toBe(400)
  const [type] = types
  const next = [{ ...type, meta: { enum: ['S', 'M', 'L'] } }]
  await apply({ plugin: 'local.model', types: next })
  expect((await shirts.create({ size: 'M' })).status).toBe(201)
  expect(await read('type', '&name=Size')).toMatchObject([{ plugin: 'local.model' }])
})

test('roles and policies take the right to manage users', async () => {
  await install(deps, shop())
  const body = { policies: [{ ...POLICY, allow: false }] }
  const refused = await post(APPLY, 'apply', body, ['plugins:install', 'Thing:read'])
  expect(refused.status).toBe(422)
  expect(await definitionOf('policy')).toEqual(POLICY)
})
