import { z } from 'zod'
import { paginate } from '@/lib/http/paginate'
import { methods, route } from '@/lib/http/route'
import { json, listOf } from '@/lib/openapi/responses'
import { rightsMeta, rightsOfRoles, rightsQuery } from '@/lib/policies/contract'
import { explainRight } from '@/lib/policies/explain-right'
import { explainRoles } from '@/lib/policies/explain-rights'
import { readWhy } from '@/lib/policies/read-why'
import { why } from '@/lib/policies/why-contract'

const [list, one] = [listOf(rightsOfRoles, { paged: true, meta: rightsMeta }), listOf(why)].map(
  ({ content }) => content['application/json'] as z.ZodType,
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listRights',
      summary:
        'What roles may do with the records of entities, and why somebody may do something or not',
      description:
        'A page of entities by a page of roles, which `meta.roles` names. With `user`, `key`, `action`, `id` or `field`, one right: of a user, a key or the role `role`, to the action on the entity named `entity`, one record or one field. Asking about a record needs the right to read all of its entity, and of those that the conditions of its policies follow.',
      responses: { 200: json(z.union([list as z.ZodType, one as z.ZodType])) },
      fails: ['not_found'],
    },
    access: 'users:manage',
    query: rightsQuery,
    handle: async ({ deps, actor, query }) => {
      const question = readWhy(query)
      if (question) return { data: [await explainRight(deps, actor, question)] }
      const { rows, total, meta } = await explainRoles(deps, query)
      return { data: rows, meta, pagination: paginate(query, total) }
    },
  }),
})
