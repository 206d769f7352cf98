import { methods, route } from '@/lib/http/route'
import { requiredRoles, requiredRolesBody } from '@/lib/second-factors/contract'
import { listRequiredRoles, setRequiredRoles } from '@/lib/second-factors/required-roles'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readRequiredSecondFactor',
      summary: 'List the roles that require a second factor',
      responses: { 200: requiredRoles },
    },
    access: 'security:manage',
    handle: async ({ deps }) => ({ data: [{ roles: await listRequiredRoles(deps.db) }] }),
  }),
  PUT: route({
    doc: {
      id: 'requireSecondFactor',
      summary: 'Set the roles that require a second factor',
      description:
        'Users of these roles who have none can only set one up, from this moment on. API keys are not affected.',
      responses: { 200: requiredRoles },
    },
    access: 'security:manage',
    body: requiredRolesBody,
    handle: async ({ deps, actor, requestId, body }) => ({
      data: [{ roles: await setRequiredRoles(deps, body.roles, { actor, requestId }) }],
    }),
  }),
})
