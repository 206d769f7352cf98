import { queryOptions } from '@tanstack/react-query'
import pLimit from 'p-limit'
import { api } from '@/lib/http/client'
import type { ImageUse, ImageUsesMeta } from '@/lib/images/uses-contract'

export type ImageUses = { uses: ImageUse[] } & ImageUsesMeta

/** Each search reads every entity, so few of them run at a time. */
const inTurn = pLimit(2)

/** The records that use an image. */
export const usesOptions = (fileId: string) =>
  queryOptions({
    queryKey: ['image-uses', fileId],
    queryFn: ({ signal }) => inTurn(() => findUses(fileId, signal)),
    retry: false,
    refetchOnWindowFocus: false,
  })

async function findUses(fileId: string, signal: AbortSignal): Promise<ImageUses> {
  // It may have waited for others until nobody wanted it any more.
  signal.throwIfAborted()
  const path = `/api/images/${encodeURIComponent(fileId)}/uses`
  const { data, meta } = await api<ImageUse>(path, { signal })
  return { uses: data, ...(meta as ImageUsesMeta) }
}
