import { queryOptions } from '@tanstack/react-query'
import { entityPath } from '@/components/entities/entity-queries'
import type { HistoryMeta, RecordVersion } from '@/lib/history/contract'
import { api } from '@/lib/http/client'
import type { ExactJson } from '@/lib/values/exact-json'

/** A field of a version, its numbers with all their digits. */
export type Change = { field: string; before?: ExactJson; after?: ExactJson }
export type Version = Omit<RecordVersion, 'changes'> & { changes: Change[] }

/** What restoring a version does, or has done. */
export type Restoration = { created: boolean; leftOut: string[]; changes: Change[] }

export const PAGE_SIZE = 10

const historyKey = (entity: string, id: string) => ['record-history', entity, id] as const

const pathOf = (entity: string, id: string, rest = '') =>
  entityPath(entity, `/${encodeURIComponent(id)}/history${rest}`)

/** A page of what happened to a record, newest first. */
export const historyOptions = (entity: string, id: string, page: number) =>
  queryOptions({
    queryKey: [...historyKey(entity, id), page],
    queryFn: async ({ signal }) => {
      const query = { page, size: PAGE_SIZE }
      const found = await api<Version>(pathOf(entity, id), { query, signal })
      const { data, pagination, meta } = found
      return { versions: data, total: pagination?.total ?? 0, meta: meta as HistoryMeta }
    },
    staleTime: 0,
  })

/** What restoring a version would change, and the ETag of the state that it was compared with. */
export const restorationOptions = (entity: string, id: string, version: number) =>
  queryOptions({
    queryKey: [...historyKey(entity, id), 'restoration', version],
    queryFn: () => restore(entity, id, version, { dryRun: true }),
    staleTime: 0,
    gcTime: 0,
  })

type Options = { dryRun?: boolean; etag?: string }

/** Restores a version; with `etag` only in place of that state, else 412. */
export async function restore(
  entity: string,
  id: string,
  version: number,
  { dryRun, etag: match }: Options,
) {
  const { data, meta, etag } = await api<{ persistenceId: string }>(
    pathOf(entity, id, `/${version}/restore`),
    { method: 'POST', query: { dryRun }, headers: match ? { 'If-Match': match } : undefined },
  )
  return { record: data[0] ?? null, ...(meta as Restoration), etag }
}
