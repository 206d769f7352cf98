import { JsonText } from '@/lib/http/envelope'
import { paginate } from '@/lib/http/paginate'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { batchRecords } from '@/lib/trash/batch-records'
import { batchParams, trashedRecord, trashedRecordsQuery } from '@/lib/trash/contract'
import { stringifyExactly } from '@/lib/values/json'

/** The records of a deletion, edit or import that can be undone. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listTrashedRecords',
      summary: 'List the records of a deletion, edit or import that can be undone',
      description:
        'As they were when they were deleted, or what an edit or import made of them. Needs the rights to undo it and to read them.',
      responses: { 200: listOf(trashedRecord, { paged: true }) },
    },
    access: 'signed-in',
    params: batchParams,
    query: trashedRecordsQuery,
    handle: async ({ deps, actor, params, query }) => {
      const { records, total } = await batchRecords(deps, actor, { ...params, ...query })
      const data = new JsonText(stringifyExactly(records))
      return { data, pagination: paginate(query, total) }
    },
  }),
})
