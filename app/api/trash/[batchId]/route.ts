import { JsonText } from '@/lib/http/envelope'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { batchParams, trashBatchWithConflicts } from '@/lib/trash/contract'
import { getTrashBatch } from '@/lib/trash/list-trash'
import { stringifyExactly } from '@/lib/values/exact-numbers'

/** One deletion, with the conflicts of the last attempt to restore it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readTrashBatch',
      summary: 'Read a deletion that can be undone',
      description: 'With the conflicts of the last attempt to restore it.',
      responses: { 200: listOf(trashBatchWithConflicts) },
    },
    access: 'signed-in',
    params: batchParams,
    handle: async ({ deps, actor, params }) => ({
      data: new JsonText(stringifyExactly([await getTrashBatch(deps, actor, params.batchId)])),
    }),
  }),
})
