import { methods } from '@/lib/http/methods'
import { paginate } from '@/lib/http/paginate'
import { route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { trashBatch, trashQuery } from '@/lib/trash/contract'
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
})
