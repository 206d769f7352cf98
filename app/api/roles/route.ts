import { paginate } from '@/lib/http/paginate'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { createRoleBody, role, rolesMeta, rolesQuery } from '@/lib/policies/contract'
import { listRoles, policySources } from '@/lib/policies/list-roles'
import { createRole } from '@/lib/policies/save-role'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listRoles',
      summary: 'List the roles',
      description:
        'The built-in ones, then those that plugins describe, that policies name, or that users have.',
      responses: { 200: listOf(role, { paged: true, meta: rolesMeta }) },
    },
    access: ['users:manage', 'security:manage'],
    query: rolesQuery,
    handle: async ({ deps, query }) => {
      const { roles, total } = await listRoles(deps.db, query)
      const policies = await policySources(
        deps,
        roles.flatMap(({ rules }) => rules),
      )
      const data = roles.map(({ role }) => role)
      return { data, meta: { policies }, pagination: paginate(query, total) }
    },
  }),
  POST: route({
    doc: {
      id: 'createRole',
      summary: 'Make a role',
      description: 'It grants nothing by itself: policies say what it may do.',
      responses: { 201: role },
      fails: ['conflict'],
      example: { name: 'Clerk', label: 'Clerks', description: 'Take orders at a branch' },
    },
    access: 'security:manage',
    body: createRoleBody,
    handle: async ({ deps, actor, requestId, body }) => ({
      data: [await createRole(deps, body, { actor, requestId })],
      status: 201,
    }),
  }),
})
