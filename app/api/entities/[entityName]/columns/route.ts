import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { entityParams } from '@/lib/search/contract'
import {
  describeColumns,
  describeDisplay,
  listReferringFields,
} from '@/lib/search/describe-columns'
import { listLinkedEntities } from '@/lib/search/describe-links'
import { columnDescription, columnsMeta } from '@/lib/tables/column-contract'

/** The fields of an entity, with the operators each has. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listColumns',
      summary: 'List the fields of an entity',
      description:
        'With the operators of each, the fields of other entities that refer to it, and the lists of linked records.',
      responses: { 200: listOf(columnDescription, { meta: columnsMeta }) },
      headers: ['X-Engine-View-As'],
    },
    guests: true,
    access: ({ entityName }) => ({ entity: entityName, action: 'read' }),
    params: entityParams,
    handle: async ({ deps, actor, params: { entityName } }) => {
      const display = await describeDisplay(deps, entityName, actor)
      return {
        data: await describeColumns(deps, entityName, actor),
        meta: {
          ...(display ? { display } : {}),
          links: await listLinkedEntities(deps, entityName, actor),
          referencedBy: await listReferringFields(deps, entityName, actor),
        },
      }
    },
  }),
})
