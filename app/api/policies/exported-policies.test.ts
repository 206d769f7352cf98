import { expect, test } from 'vitest'
import { testDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { exportEntities } from '../plugins/testing/export-api'
import { install } from '../plugins/testing/plugin-api'
import { GET as ROLE } from '../roles/[name]/route'
import { POST as CREATE_ROLE } from '../roles/route'
import {
  CLERKS,
  createPolicy,
  deletePolicy,
  installOrders,
  listPolicies,
} from './testing/policies-api'

const LIMITS = {
  where: [
    {
      operator: 'or',
      filters: [
        { field: 'branch.region', operator: 'eq', value: '$me.profile.region' },
        { field: 'note', operator: 'isnull' },
      ],
    },
  ],
  fields: { except: ['total'] },
  set: { ownerId: '$me', dueAt: '$now' },
  check: [{ field: 'total', operator: 'lt', value: 100 }],
}

test('roles and policies that were made here go along with an export, and are a plugin’s where it is installed', async () => {
  const deps = await testDeps()
  await installOrders()
  const role = { name: 'Clerk', label: 'Clerks' }
  await call(deps, CREATE_ROLE, { method: 'POST', path: '/api/roles', body: role, as: 'ADMIN' })
  const { id } = (await createPolicy({ ...CLERKS, ...LIMITS })).body.data[0]
  const entities = ['Order', 'Branch', 'Employee'].map((name) => ({ name }))
  const body = {
    id: 'com.example.orders',
    name: 'Orders',
    entities,
    roles: ['Clerk'],
    policies: [CLERKS.name],
  }
  const { status, bytes } = await exportEntities(deps, body)
  expect(status).toBe(200)

  const here = await install(deps, bytes)
  expect(here.logs.filter(({ status }) => status === 'failed')).toEqual([])
  expect((await listPolicies()).body.data).toMatchObject([{ id, plugin: body.id }])
  expect((await deletePolicy(id)).status).toBe(409)

  await testDeps()
  const { logs } = await install(deps, bytes)
  expect(logs.filter(({ status }) => status === 'failed')).toEqual([])
  expect((await listPolicies()).body.data).toMatchObject([
    { ...CLERKS, ...LIMITS, plugin: body.id },
  ])
  const at = { path: '/api/roles/Clerk', params: { name: 'Clerk' }, as: 'ADMIN' }
  expect((await call(deps, ROLE, at)).body.data).toMatchObject([{ ...role, pluginId: body.id }])
})
