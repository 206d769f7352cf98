import type { Condition } from '@/components/data-table/filter/condition'
import { api } from '@/lib/http/client'
import type { LabelChange } from './label-input'

/** Images by their ids, or all that match. */
export type ImageSelection = { ids: readonly string[] } | { query: readonly Condition[] }

export type LabelEdit = { selection: ImageSelection; change: LabelChange }

export type LabelsEdited = {
  /** The number of selected images. */
  effected: number
  updated: number
  unchanged: number
  /** Changed images whose storage does not have the labels yet. */
  pending: number
}

type Options = { signal?: AbortSignal } & ({ dryRun: true } | { expected: number })

/** Changes the labels of all selected images, or of none. Throws `ApiError`. */
export async function sendLabelEdit(
  { selection, change }: LabelEdit,
  { signal, ...query }: Options,
): Promise<LabelsEdited> {
  const { data, meta } = await api<{ effected: number }>('/api/images/batch', {
    ...{ method: 'PATCH', query, signal },
    body: { ...selection, ...change },
  })
  return {
    effected: data[0]?.effected ?? 0,
    updated: Number(meta.updated ?? 0),
    unchanged: Number(meta.unchanged ?? 0),
    pending: Number(meta.pending ?? 0),
  }
}
