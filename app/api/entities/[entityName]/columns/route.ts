import { columnDescription } from '@/lib/entities/column-contract'
import { entityParams } from '@/lib/entities/contract'
import { describeColumns } from '@/lib/entities/describe-columns'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/answers'

/** The fields of an entity, with the operators each has. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listColumns',
      summary: 'List the fields of an entity',
      description: 'With the operators each has.',
      answers: { 200: listOf(columnDescription) },
    },
    access: ({ entityName }) => ({ entity: entityName, action: 'read' }),
    params: entityParams,
    handle: async ({ deps, params }) => ({ data: await describeColumns(deps, params.entityName) }),
  }),
})
