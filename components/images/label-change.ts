import type { Condition } from '@/components/data-table/filter/condition'
import { api } from '@/lib/http/client'
import type { ImagesEdit } from '@/lib/images/edit-contract'
import { faultOf, type Pair, toContext } from './context-pairs'

export type LabelChange = Pick<ImagesEdit, 'addTags' | 'removeTags' | 'setContext' | 'unsetContext'>

/** What is entered about the labels of several images. */
export type LabelInput = {
  addTags: string[]
  removeTags: string[]
  /** Context to set. */
  pairs: Pair[]
  /** Keys of context to remove. */
  removeKeys: string[]
}

export const NO_LABELS: LabelInput = { addTags: [], removeTags: [], pairs: [], removeKeys: [] }

/** What is asked for twice, the other way round; checked here to say it at its field. */
export function labelFaults({ addTags, removeTags, pairs, removeKeys }: LabelInput) {
  const set = toContext(pairs)
  const tag = removeTags.find((each) => addTags.includes(each))
  const key = removeKeys.find((each) => Object.hasOwn(set, each))
  return {
    removeTags: tag === undefined ? null : `“${tag}” is also added`,
    removeKeys: key === undefined ? null : `“${key}” is also set`,
  }
}

/** The change as the API takes it; null while it is empty, incomplete or contradicts itself. */
export function toLabelChange(input: LabelInput): LabelChange | null {
  const { addTags, removeTags, pairs, removeKeys } = input
  const faults = labelFaults(input)
  if (faults.removeTags ?? faults.removeKeys ?? pairs.some((pair) => faultOf(pair, pairs)))
    return null
  const setContext = toContext(pairs)
  const change: LabelChange = {
    ...(addTags.length > 0 && { addTags }),
    ...(removeTags.length > 0 && { removeTags }),
    ...(Object.keys(setContext).length > 0 && { setContext }),
    ...(removeKeys.length > 0 && { unsetContext: removeKeys }),
  }
  return Object.keys(change).length > 0 ? change : null
}

/** Images by their ids, or all that match. */
export type ImageSelection = { ids: readonly string[] } | { query: readonly Condition[] }

type LabelEdit = { selection: ImageSelection; change: LabelChange }

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
