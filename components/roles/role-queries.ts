import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListParams } from '@/components/data-table/list-params'
import { changedBy } from '@/components/policies/policy-queries'
import { ApiError, api } from '@/lib/http/client'
import type {
  EntityRights,
  RightsMeta,
  RightsOfRoles,
  Role,
  RolesMeta,
  UserRightsMeta,
} from '@/lib/policies/contract'

export const ROLES_IN_TABLE = 50

/** A page of the roles there are, the built-in ones first; pages count from 1, as in the address. */
export const rolesOptions = ({ role = '', rolePage = 1 } = {}) =>
  queryOptions({
    queryKey: ['roles', 'list', role, rolePage],
    queryFn: async ({ signal }) => {
      const query = { role, page: Math.max(0, rolePage - 1), size: ROLES_IN_TABLE }
      const { data, meta, pagination } = await api<Role>('/api/roles', { query, signal })
      return { data, meta: meta as RolesMeta, total: pagination?.total ?? data.length }
    },
    placeholderData: keepPreviousData,
  })

/** What is known of a role of any name. */
export const roleOptions = (name: string) =>
  queryOptions({
    queryKey: ['roles', 'one', name.toLowerCase()],
    queryFn: ({ signal }) => roleOf(api<Role>(rolePath(name), { signal })),
  })

/** A page of entities by the roles whose name contains `role`; pages count from 1, as in the address. */
export type RightsPage = Pick<ListParams, 'q' | 'page' | 'size'> & {
  role: string
  rolePage: number
}

export const ROLES_A_PAGE = 12

export const rightsOptions = (params: RightsPage) =>
  queryOptions({
    queryKey: ['roles', 'rights', params],
    queryFn: async ({ signal }) => {
      const { q, page, size, role, rolePage } = params
      const query = {
        ...{ entity: q, role, page: Math.max(0, page - 1), size: Math.min(size, 250) },
        ...{ rolePage: Math.max(0, rolePage - 1), roleSize: ROLES_A_PAGE },
      }
      const { data, meta, pagination } = await api<RightsOfRoles>('/api/rights', { query, signal })
      return { data, meta: meta as RightsMeta, pagination }
    },
    placeholderData: keepPreviousData,
  })

export const RIGHTS_A_PAGE = 10

/** A page of what a user may do; pages count from 0. */
export const userRightsOptions = (userId: string, entity: string, page: number) =>
  queryOptions({
    queryKey: ['user', userId, 'rights', entity, page],
    queryFn: async ({ signal }) => {
      const path = `/api/users/${encodeURIComponent(userId)}/rights`
      const query = { entity, page, size: RIGHTS_A_PAGE }
      const { data, meta, pagination } = await api<EntityRights>(path, { query, signal })
      return { data, meta: meta as UserRightsMeta, total: pagination?.total ?? data.length }
    },
    placeholderData: keepPreviousData,
  })

const roleOf = async (response: Promise<{ data: Role[] }>): Promise<Role> => {
  const [role] = (await response).data
  if (!role) throw new ApiError(404, 'Role not found')
  return role
}

type RoleWords = { name: string; label?: string | null; description?: string | null }

const rolePath = (name: string) => `/api/roles/${encodeURIComponent(name)}`

export const createRole = (body: RoleWords) =>
  roleOf(api<Role>('/api/roles', { method: 'POST', body }))

export const describeRole = async ({ name, ...body }: RoleWords) =>
  changedBy(await api<Role>(rolePath(name), { method: 'PATCH', body }))

type Deletion = { name: string; users?: 'remove'; replacement?: string }

/** Refused with 409 while users or keys have it, unless it is said what becomes of them. */
export async function deleteRole({ name, ...query }: Deletion): Promise<string | undefined> {
  const { meta } = await api(rolePath(name), { method: 'DELETE', query })
  return meta.batchId as string | undefined
}
