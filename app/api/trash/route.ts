import { trashQuery } from '@/lib/entities/trash/contract'
import { listTrash } from '@/lib/entities/trash/list-trash'
import { methods } from '@/lib/http/methods'
import { paginate } from '@/lib/http/paginate'
import { route } from '@/lib/http/route'

/** Deletions that can be taken back, the last one first. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'signed-in',
    query: trashQuery,
    handle: async ({ deps, actor, query }) => {
      const { batches, total } = await listTrash(deps, actor, query)
      return { data: batches, pagination: paginate(query, total) }
    },
  }),
})
