import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { Condition } from '@/components/data-table/filter/condition'
import { api, apiItem } from '@/lib/http/client'
import type { Image, ImageFacets, ImagePatch } from '@/lib/images/contract'
import { getQueryClient } from '@/lib/query/client'
import { itemOptions } from '@/lib/query/item-options'
import type { Search } from '@/lib/query/search-key'
import { exactJsonText } from '@/lib/values/exact-json'
import { FACETS_KEY, imagesKey } from './images-search'

/** A page of images; while the next one comes the last one stays. */
export const useImages = (search: Search) =>
  useQuery({
    queryKey: imagesKey(search),
    queryFn: ({ signal }) =>
      api<Image>('/api/images/search', { method: 'POST', body: search, signal }),
    placeholderData: keepPreviousData,
  })

/** How many images match. */
export const countOptions = (query: readonly Condition[]) =>
  queryOptions({
    queryKey: ['images', 'count', exactJsonText(query)],
    queryFn: async ({ signal }) => {
      const body = { query, fields: ['fileId'], pagination: { page: 0, size: 1 } }
      const found = await api<Image>('/api/images/search', { method: 'POST', body, signal })
      return found.pagination?.total ?? null
    },
  })

export const facetsOptions = itemOptions<ImageFacets>(FACETS_KEY, '/api/images/facets')

export const imageOptions = (fileId: string) =>
  itemOptions<Image>(['image', fileId], pathOf(fileId))

export const patchImage = (fileId: string, patch: ImagePatch) =>
  apiItem<Image>(pathOf(fileId), { method: 'PATCH', body: patch })

export const deleteImage = (fileId: string) => apiItem<Image>(pathOf(fileId), { method: 'DELETE' })

/** After a change: refreshes every query of images. */
export const refreshImages = () =>
  Promise.all(
    [['images'], ['image'], FACETS_KEY, ['search', 'EngineFiles']].map((queryKey) =>
      getQueryClient().invalidateQueries({ queryKey }),
    ),
  )

const pathOf = (fileId: string) => `/api/images/${encodeURIComponent(fileId)}`
