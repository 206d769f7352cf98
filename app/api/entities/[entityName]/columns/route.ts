import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { entityParams } from '@/lib/search/contract'
import { columnDescription } from '@/lib/tables/column-contract'
import { describeColumns } from '@/lib/tables/describe-columns'

/** The fields of an entity, with the operators each has. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listColumns',
      summary: 'List the fields of an entity',
      description: 'With the operators of each.',
      responses: { 200: listOf(columnDescription) },
    },
    access: ({ entityName }) => ({ entity: entityName, action: 'read' }),
    params: entityParams,
    handle: async ({ deps, params }) => ({ data: await describeColumns(deps, params.entityName) }),
  }),
})
