import { z } from 'zod'
import { JsonText } from '@/lib/http/envelope'
import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { batchParams, restored, restoredMeta } from '@/lib/trash/contract'
import { restoreBatch } from '@/lib/trash/restore-batch'
import { stringifyExactly } from '@/lib/values/exact-numbers'

/** Restores deleted records; `meta.conflictCount` when there are more conflicts than listed. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'restoreTrashBatch',
      summary: 'Restore deleted records',
      description: 'Records that cannot be restored stay in the trash, with the reason.',
      responses: { 200: listOf(restored, { meta: restoredMeta }) },
      fails: ['conflict'],
    },
    access: 'signed-in',
    params: batchParams,
    query: z.strictObject({}),
    handle: async ({ deps, actor, requestId, params }) => {
      const { conflictCount, ...result } = await restoreBatch(deps, { ...params, actor, requestId })
      const isCut = conflictCount > result.conflicts.length
      const data = new JsonText(stringifyExactly([result]))
      return { data, meta: isCut ? { conflictCount } : {} }
    },
  }),
})
