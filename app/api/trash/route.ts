import { paginate } from '@/lib/http/paginate'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { emptied, emptyTrashQuery, trashBatch, trashQuery } from '@/lib/trash/contract'
import { removeAllBatches } from '@/lib/trash/empty-trash'
import { listTrash } from '@/lib/trash/list-trash'

/** Deletions that can be undone, the last one first. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'listTrash',
      summary: 'List deletions that can be undone',
      description: 'The last one first.',
      responses: { 200: listOf(trashBatch, { paged: true }) },
    },
    access: 'signed-in',
    query: trashQuery,
    handle: async ({ deps, actor, query }) => {
      const { batches, total } = await listTrash(deps, actor, query)
      return { data: batches, pagination: paginate(query, total) }
    },
  }),
  DELETE: route({
    doc: {
      id: 'emptyTrash',
      summary: 'Empty the trash',
      description:
        'Deletes for good whatever the caller may delete, of one entity if given; `removed` is the number of deletions. It can’t be undone.',
      responses: { 200: emptied },
    },
    access: 'signed-in',
    query: emptyTrashQuery,
    handle: async ({ deps, actor, requestId, query }) => ({
      data: [{ removed: await removeAllBatches(deps, { ...query, actor, requestId }) }],
    }),
  }),
})
