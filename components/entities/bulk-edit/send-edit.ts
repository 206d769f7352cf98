import type { Condition } from '@/components/data-table/filter/condition'
import { api } from '@/lib/http/client'
import type { EditSample } from '@/lib/records/contract'
import type { ExactJson } from '@/lib/values/exact-json'
import { entityPath } from '../entity-queries'

export type BatchEdit = {
  entity: string
  /** Without conditions all records are edited. */
  query: readonly Condition[]
  set: Record<string, ExactJson>
}

export type BatchEdited = {
  /** The number of records that match. */
  effected: number
  updated: number
  unchanged: number
  /** Of a dry run: the first records, by key. */
  sample: EditSample[]
  batchId: string | null
}

export type EditOptions = { signal?: AbortSignal } & (
  | { dryRun: true }
  | { expected: number; undoDays: number }
)

/** Edits all records that match, or none. Throws `ApiError`. A request that is aborted changes nothing unless it was complete. */
export async function sendEdit(
  { entity, query, set }: BatchEdit,
  { signal, ...options }: EditOptions,
): Promise<BatchEdited> {
  const { data, meta } = await api<{ effected: number }>(entityPath(entity, '/batch'), {
    method: 'PATCH',
    query:
      'dryRun' in options
        ? { dryRun: true }
        : { expected: options.expected, undo: `${options.undoDays}d` },
    body: query.length === 0 ? { entity, set } : { entity, query, set },
    signal,
  })
  return {
    effected: data[0]?.effected ?? 0,
    updated: Number(meta.updated ?? 0),
    unchanged: Number(meta.unchanged ?? 0),
    sample: (meta.sample as EditSample[] | undefined) ?? [],
    batchId: (meta.batchId as string | null | undefined) ?? null,
  }
}
