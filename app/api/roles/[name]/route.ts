import { z } from 'zod'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { deleteRoleQuery, role, roleParams, updateRoleBody } from '@/lib/policies/contract'
import { deleteRole } from '@/lib/policies/delete-role'
import { readRole } from '@/lib/policies/list-roles'
import { undoMeta } from '@/lib/policies/policy-contract'
import { updateRole } from '@/lib/policies/save-role'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readRole',
      summary: 'Read a role',
      description: 'Any name: one that nothing names yet grants what policies allow to everybody.',
      responses: { 200: role },
    },
    access: ['users:manage', 'security:manage'],
    params: roleParams,
    handle: async ({ deps, params: { name } }) => ({ data: [await readRole(deps.db, name)] }),
  }),
  PATCH: route({
    doc: {
      id: 'changeRole',
      summary: 'Change how a role is described',
      description: 'What is given is changed; `null` takes it away.',
      responses: { 200: listOf(role, { meta: undoMeta }) },
      fails: ['conflict'],
    },
    access: 'security:manage',
    params: roleParams,
    body: updateRoleBody,
    handle: async ({ deps, actor, requestId, params: { name }, body }) => {
      const { role, batchId } = await updateRole(deps, name, body, { actor, requestId })
      return { data: [role], meta: batchId ? { batchId } : {} }
    },
  }),
  DELETE: route({
    doc: {
      id: 'deleteRole',
      summary: 'Delete a role',
      description:
        'One in use is deleted only when the request says what becomes of its users, keys and policies; otherwise 409 has their numbers in `meta`. Accounts stay, without the role. What that grants, or no longer denies, the caller must be allowed itself.',
      responses: { 200: listOf(z.never(), { meta: undoMeta }) },
      fails: ['conflict'],
    },
    access: 'security:manage',
    params: roleParams,
    query: deleteRoleQuery,
    handle: async ({ deps, actor, requestId, params: { name }, query }) => ({
      data: [],
      meta: await deleteRole(deps, name, query, { actor, requestId }),
    }),
  }),
})
