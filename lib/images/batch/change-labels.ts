import { AppError } from '@/lib/errors'
import type { Labels } from '@/lib/storage/storage'
import { MAX_LABELS } from '../labels-contract'

/** What an edit of many images does to the labels of each. */
export type LabelChange = {
  addTags?: readonly string[]
  removeTags?: readonly string[]
  setContext?: Readonly<Record<string, string>>
  unsetContext?: readonly string[]
}

type Labelled = Labels & { publicId: string }

/**
 * The labels of an image after a change; tags keep their order, new ones follow. Throws
 * `invalid_input` when the image would have too many.
 */
export function changeLabels(image: Labelled, change: LabelChange): Labels {
  const { addTags = [], removeTags = [], setContext = {}, unsetContext = [] } = change
  const tags = [...new Set([...image.tags, ...addTags])].filter((tag) => !removeTags.includes(tag))
  const kept = Object.entries(image.context).filter(([key]) => !unsetContext.includes(key))
  const context = { ...Object.fromEntries(kept), ...setContext }
  if (tags.length > MAX_LABELS) throw tooMany(image, 'tags', tags.length)
  const keys = Object.keys(context).length
  if (keys > MAX_LABELS) throw tooMany(image, 'keys of context', keys)
  return { tags, context }
}

/** Whether both are the same; the order of keys does not count. */
export function sameLabels(a: Labels, b: Labels): boolean {
  const keys = Object.keys(a.context)
  return (
    JSON.stringify(a.tags) === JSON.stringify(b.tags) &&
    keys.length === Object.keys(b.context).length &&
    keys.every((key) => a.context[key] === b.context[key])
  )
}

const tooMany = ({ publicId }: Labelled, what: string, found: number) =>
  new AppError(
    'invalid_input',
    `"${publicId}" would have ${found} ${what}; at most ${MAX_LABELS} are taken, and nothing was changed`,
  )
