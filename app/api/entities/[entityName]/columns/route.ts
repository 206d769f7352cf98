import { entityParams } from '@/lib/entities/contract'
import { describeColumns } from '@/lib/entities/describe-columns'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'

/** The fields of an entity, with the operators each has. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: ({ entityName }) => ({ entity: entityName, action: 'read' }),
    params: entityParams,
    handle: async ({ deps, params }) => ({ data: await describeColumns(deps, params.entityName) }),
  }),
})
