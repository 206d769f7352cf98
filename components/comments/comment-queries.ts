import { queryOptions } from '@tanstack/react-query'
import { entityPath } from '@/components/entities/entity-queries'
import type { RecordComment } from '@/lib/comments/contract'
import { api } from '@/lib/http/client'
import { getQueryClient } from '@/lib/query/client'

export const PAGE_SIZE = 50

const keyOf = (entity: string, id: string) => ['comments', entity, id] as const

const pathOf = (entity: string, id: string, rest = '') =>
  entityPath(entity, `/${encodeURIComponent(id)}/comments${rest}`)

/** A page of the comments on a record, oldest first. */
export const commentsOptions = (entity: string, id: string, page: number) =>
  queryOptions({
    queryKey: [...keyOf(entity, id), page],
    queryFn: async ({ signal }) => {
      const query = { page, size: PAGE_SIZE }
      const found = await api<RecordComment>(pathOf(entity, id), { query, signal })
      return { comments: found.data, total: found.pagination?.total ?? 0 }
    },
    staleTime: 0,
  })

/** Shows what was just written everywhere. */
export const refreshComments = (entity: string, id: string) =>
  getQueryClient().invalidateQueries({ queryKey: keyOf(entity, id) })

export const addComment = (entity: string, id: string, text: string) =>
  api(pathOf(entity, id), { method: 'POST', body: { text } })

export const changeComment = (entity: string, id: string, commentId: string, text: string) =>
  api(pathOf(entity, id, `/${commentId}`), { method: 'PATCH', body: { text } })

export const deleteComment = (entity: string, id: string, commentId: string) =>
  api(pathOf(entity, id, `/${commentId}`), { method: 'DELETE' })
