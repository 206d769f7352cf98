import { paginate } from '@/lib/http/paginate'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { rightsMeta, rightsOfRoles, rightsQuery } from '@/lib/policies/contract'
import { explainRoles } from '@/lib/policies/explain-rights'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listRights',
      summary: 'What each role may do with the records of each entity, and why',
      description: 'A page of entities by a page of roles, which `meta.roles` names.',
      responses: { 200: listOf(rightsOfRoles, { paged: true, meta: rightsMeta }) },
    },
    access: 'users:manage',
    query: rightsQuery,
    handle: async ({ deps, query }) => {
      const { rows, total, meta } = await explainRoles(deps, query)
      return { data: rows, meta, pagination: paginate(query, total) }
    },
  }),
})
