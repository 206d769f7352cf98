import { paginate } from '@/lib/http/paginate'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { listPolicies } from '@/lib/policies/list-policies'
import { createPolicyBody, policiesQuery, policy } from '@/lib/policies/policy-contract'
import { createPolicy } from '@/lib/policies/save-policy'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listPolicies',
      summary: 'List the policies',
      description: 'By name: those of plugins and those that were made here.',
      responses: { 200: listOf(policy, { paged: true }) },
    },
    access: 'security:manage',
    query: policiesQuery,
    handle: async ({ deps, query }) => {
      const { policies, total } = await listPolicies(deps.db, query)
      return { data: policies, pagination: paginate(query, total) }
    },
  }),
  POST: route({
    doc: {
      id: 'createPolicy',
      summary: 'Make a policy',
      description:
        'It says what roles may or may not do with records of entities: which rows by `where`, which fields by `fields`. A policy that denies wins for what it concerns; policies that allow add up. It applies at once, on every instance.',
      responses: { 201: policy },
      fails: ['conflict'],
      example: {
        name: 'Clerks see the orders of their branch',
        principals: ['Clerk'],
        entities: ['Order'],
        actions: ['read', 'write', 'update'],
        where: [{ field: 'branch', operator: 'eq', value: '$me.profile.branch' }],
        fields: { except: ['margin'] },
        set: { branch: '$me.profile.branch' },
      },
    },
    access: 'security:manage',
    body: createPolicyBody,
    handle: async ({ deps, actor, requestId, body }) => ({
      data: [await createPolicy(deps, body, { actor, requestId })],
      status: 201,
    }),
  }),
})
