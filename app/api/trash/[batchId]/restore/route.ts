import { JsonText } from '@/lib/http/envelope'
import { methods, route } from '@/lib/http/route'
import { restorePlugin } from '@/lib/lifecycle/restore-plugin'
import { listOf } from '@/lib/openapi/responses'
import { restoreFormer } from '@/lib/policies/restore-former'
import { batchParams, restored, restoredMeta, restoreQuery } from '@/lib/trash/contract'
import { getTrashBatch } from '@/lib/trash/list-trash'
import { restoreBatch, restoreChosen } from '@/lib/trash/restore-batch'
import { restoreEdit } from '@/lib/trash/restore-edit'
import { restoreImport } from '@/lib/trash/restore-import'
import { stringifyExactly } from '@/lib/values/json'

const RESTORE = {
  records: restoreBatch,
  edit: restoreEdit,
  import: restoreImport,
  plugin: restorePlugin,
  policy: restoreFormer,
  role: restoreFormer,
}

/** Restores deleted records, or what they were before an edit; `meta.conflictCount` when there are more conflicts than listed. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    doc: {
      id: 'restoreTrashBatch',
      summary:
        'Restore deleted records, uninstalled plugins, or what a change, an edit or an import replaced',
      description:
        'All of them, or deleted ones by `records`. Records that cannot be restored stay in the trash, with the reason; so do edited and imported ones that were changed since. Undoing an import removes what it created. Plugins come back whole or not at all.',
      responses: { 200: listOf(restored, { meta: restoredMeta }) },
      fails: ['conflict'],
    },
    access: 'signed-in',
    params: batchParams,
    query: restoreQuery,
    handle: async ({ deps, actor, requestId, params, query: { records } }) => {
      const { kind } = await getTrashBatch(deps, actor, params.batchId)
      const restore = RESTORE[kind]
      const options = { ...params, actor, requestId }
      const { conflictCount, ...result } = records
        ? await restoreChosen(deps, { ...options, records })
        : await restore(deps, options)
      const isCut = conflictCount > result.conflicts.length
      const data = new JsonText(stringifyExactly([result]))
      return { data, meta: isCut ? { conflictCount } : {} }
    },
  }),
})
