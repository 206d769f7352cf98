import { currentDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { POST as RESTORE } from '../../trash/[batchId]/restore/route'
import { DELETE, GET, PATCH } from '../[id]/route'
import { GET as LIST, POST } from '../route'

/** Calls of the policies' routes; the caller is an administrator unless `headers` say otherwise. */

export const deps = currentDeps()

type Headers = Record<string, string>

const asAdmin = (headers?: Headers) => (headers ? { headers } : { as: 'ADMIN' })

export const createPolicy = (body: unknown, headers?: Headers) =>
  call(deps, POST, { method: 'POST', path: '/api/policies', body, ...asAdmin(headers) })

export const listPolicies = (query = '') =>
  call(deps, LIST, { path: `/api/policies${query}`, as: 'ADMIN' })

export const readPolicy = (id: string) =>
  call(deps, GET, { path: `/api/policies/${id}`, params: { id }, as: 'ADMIN' })

export const changePolicy = (id: string, body: unknown, headers?: Headers) =>
  call(deps, PATCH, {
    ...{ method: 'PATCH', path: `/api/policies/${id}`, params: { id }, body },
    ...asAdmin(headers),
  })

export const deletePolicy = (id: string, headers?: Headers) =>
  call(deps, DELETE, {
    ...{ method: 'DELETE', path: `/api/policies/${id}`, params: { id } },
    ...asAdmin(headers),
  })

export const restore = (batchId: string, headers?: Headers) =>
  call(deps, RESTORE, {
    ...{ method: 'POST', path: `/api/trash/${batchId}/restore`, params: { batchId } },
    ...asAdmin(headers),
  })

export const keyOf = async (roles: string[], scopes?: string[]): Promise<Headers> => ({
  'x-engine-apikey': await testKey(deps, roles, scopes),
})

/** Orders of branches of regions; an employee has a manager and a branch. */
export async function installOrders(): Promise<void> {
  const key = (type: 'number' | 'string' = 'number') => [{ key: 'id', strategy: 'Fixed', type }]
  const to = (entity: string) => ({ type: 'integer', reference: { entity, field: 'id' } })
  await installTestEntity(deps, {
    entity: { name: 'Branch', pks: key() },
    schema: { properties: { region: { type: 'string' }, manager: { type: 'integer' } } },
  })
  await installTestEntity(deps, {
    entity: { name: 'Employee', pks: key() },
    schema: {
      properties: { name: { type: 'string' }, branch: to('Branch'), boss: to('Employee') },
    },
  })
  await installTestEntity(deps, {
    entity: { name: 'Branch', pks: key() },
    schema: { properties: { region: { type: 'string' }, manager: to('Employee') } },
  })
  await installTestEntity(deps, {
    entity: { name: 'Order', pks: key(), auditable: true },
    schema: {
      additionalProperties: false,
      properties: {
        branch: to('Branch'),
        total: { type: 'integer', required: true, max: 1000 },
        note: { type: 'string' },
        dueAt: { type: 'datetime' },
        ownerId: { type: 'string' },
      },
    },
  })
}

export const CLERKS = {
  name: 'Clerks see the orders of their branch',
  principals: ['Clerk'],
  entities: ['Order'],
  actions: ['read'],
}
