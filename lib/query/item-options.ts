import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { apiItem } from '@/lib/http/client'

/** Reads the only item of what the API has at a path. */
export const itemOptions = <T>(queryKey: QueryKey, path: string) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => apiItem<T>(path, { signal }) })
