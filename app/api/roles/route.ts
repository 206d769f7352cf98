import { methods } from '@/lib/http/methods'
import { paginate } from '@/lib/http/paginate'
import { route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { role, rolesQuery } from '@/lib/policies/contract'
import { listRoles } from '@/lib/policies/list-roles'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listRoles',
      summary: 'List the roles',
      description:
        'The built-in ones, then those that plugins describe, that policies name, or that users have.',
      responses: { 200: listOf(role, { paged: true }) },
    },
    access: 'users:manage',
    query: rolesQuery,
    handle: async ({ deps, query }) => {
      const { roles, total } = await listRoles(deps.db, query)
      return { data: roles.map(({ role }) => role), pagination: paginate(query, total) }
    },
  }),
})
