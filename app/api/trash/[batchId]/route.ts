import { z } from 'zod'
import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { restoreConflicts } from '@/lib/lifecycle/restore-plugin'
import { batchParams, emptied, trashBatchWithConflicts } from '@/lib/trash/contract'
import { removeBatch } from '@/lib/trash/empty-trash'
import { getTrashBatch } from '@/lib/trash/list-trash'
import { stringifyExactly } from '@/lib/values/json'

/** One deletion, with the conflicts of the last attempt to restore it. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'readTrashBatch',
      summary: 'Read a deletion that can be undone',
      description:
        'With the conflicts of the last attempt to restore its records; of plugins, those that there would be now.',
      responses: { 200: trashBatchWithConflicts },
    },
    access: 'signed-in',
    params: batchParams,
    handle: async ({ deps, actor, params: { batchId } }) => {
      const batch = await getTrashBatch(deps, actor, batchId)
      const isPlugin = batch.kind === 'plugin'
      const conflicts = isPlugin ? await restoreConflicts(deps, batchId) : batch.conflicts
      return { data: new JsonText(stringifyExactly([{ ...batch, conflicts }])) }
    },
  }),
  DELETE: route({
    doc: {
      id: 'removeTrashBatch',
      summary: 'Delete for good what is in the trash',
      description: 'One deletion, with what it took along. It can’t be undone.',
      responses: { 200: emptied },
    },
    access: 'signed-in',
    params: batchParams,
    query: z.strictObject({}),
    handle: async ({ deps, actor, requestId, params }) => ({
      data: [{ removed: await removeBatch(deps, { ...params, actor, requestId }) }],
    }),
  }),
})
