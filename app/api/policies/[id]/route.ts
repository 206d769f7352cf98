import { z } from 'zod'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { findPolicy, toPolicy } from '@/lib/policies/list-policies'
import { policy, policyParams, undoMeta, updatePolicyBody } from '@/lib/policies/policy-contract'
import { deletePolicy, updatePolicy } from '@/lib/policies/save-policy'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: { id: 'readPolicy', summary: 'Read a policy', responses: { 200: policy } },
    access: 'security:manage',
    params: policyParams,
    handle: async ({ deps, params: { id } }) => ({
      data: [toPolicy(await findPolicy(deps.db, id))],
    }),
  }),
  PATCH: route({
    doc: {
      id: 'changePolicy',
      summary: 'Change a policy',
      description:
        'What is given is changed; `null` takes a limit away. Policies of plugins are changed by them alone: deny here what they allow.',
      responses: { 200: listOf(policy, { meta: undoMeta }) },
      fails: ['conflict'],
    },
    access: 'security:manage',
    params: policyParams,
    body: updatePolicyBody,
    handle: async ({ deps, actor, requestId, params: { id }, body }) => {
      const { policy, batchId } = await updatePolicy(deps, id, body, { actor, requestId })
      return { data: [policy], meta: batchId ? { batchId } : {} }
    },
  }),
  DELETE: route({
    doc: {
      id: 'deletePolicy',
      summary: 'Delete a policy',
      responses: { 200: listOf(z.never(), { meta: undoMeta }) },
      fails: ['conflict'],
    },
    access: 'security:manage',
    params: policyParams,
    handle: async ({ deps, actor, requestId, params: { id } }) => ({
      data: [],
      meta: await deletePolicy(deps, id, { actor, requestId }),
    }),
  }),
})
