import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { policyPreview, previewBody } from '@/lib/policies/policy-contract'
import { previewPolicy } from '@/lib/policies/preview-policy'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'previewPolicy',
      summary: 'Preview what a policy concerns',
      description:
        'Of one entity and by itself, whatever other policies say; nothing is stored. Needs the right to read all of the entity and of those that the conditions follow, and `users:manage` for `as`.',
      responses: { 200: listOf(policyPreview) },
      fails: ['not_found'],
      example: {
        entity: 'Order',
        policy: {
          where: [{ field: 'branch', operator: 'eq', value: 'N1' }],
          fields: { except: ['margin'] },
        },
      },
    },
    access: 'security:manage',
    body: previewBody,
    readOnly: true,
    load: 'heavy',
    handle: async ({ deps, actor, body }) => ({
      data: new JsonText(await previewPolicy(deps, actor, body)),
    }),
  }),
})
