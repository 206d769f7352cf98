import { paginate } from '@/lib/http/paginate'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { entityRights, userRightsMeta, userRightsQuery } from '@/lib/policies/contract'
import { explainUser } from '@/lib/policies/explain-rights'
import { userParams } from '@/lib/users/contract'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listRightsOfUser',
      summary: 'What a user may do, and why',
      description: 'By the roles of the user together; keys of the user may be limited further.',
      responses: { 200: listOf(entityRights, { paged: true, meta: userRightsMeta }) },
    },
    access: 'users:manage',
    params: userParams,
    query: userRightsQuery,
    handle: async ({ deps, params: { userId }, query }) => {
      const { rows, total, meta } = await explainUser(deps, userId, query)
      return { data: rows, meta, pagination: paginate(query, total) }
    },
  }),
})
