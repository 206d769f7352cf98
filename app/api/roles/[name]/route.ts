import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { role, roleParams } from '@/lib/policies/contract'
import { readRole } from '@/lib/policies/list-roles'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readRole',
      summary: 'Read a role',
      description: 'Any name: one that nothing names yet grants what policies allow to everybody.',
      responses: { 200: listOf(role) },
    },
    access: 'users:manage',
    params: roleParams,
    handle: async ({ deps, params: { name } }) => ({ data: [await readRole(deps.db, name)] }),
  }),
})
