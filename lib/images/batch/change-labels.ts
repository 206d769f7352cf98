import { asc, inArray, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { type ImageRow, images } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError, messageOf } from '@/lib/errors'
import type { Labels } from '@/lib/storage/storage'
import { endClaim, postpone, releaseAll } from '../claims'
import { MAX_LABELS } from '../edit-contract'
import { requireStorage } from '../settle-object'

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

const AT_ONCE = 8
/** A client waits; the sweep sends what is left. */
const WAIT_MS = 10_000

/**
 * Sends recorded labels to the providers of images whose objects `holder` has claimed, and ends
 * those claims. Returns how many are left to the sweep, because their provider failed or is slow.
 * Never throws.
 */
export async function sendLabels(
  deps: Deps,
  holder: string,
  changes: readonly LabelledImage[],
): Promise<number> {
  const until = performance.now() + WAIT_MS
  const inTurn = pLimit(AT_ONCE)
  const sent = await Promise.all(
    changes.map((one) => inTurn(() => performance.now() < until && send(deps, holder, one))),
  )
  const left = sent.filter((done) => !done).length
  if (left > 0) await releaseAll(deps.db, holder).catch(() => {}) // the leases expire by themselves
  return left
}

async function send(
  deps: Deps,
  holder: string,
  { image, labels }: LabelledImage,
): Promise<boolean> {
  const { provider, storageKey } = image
  const claim = { provider, storageKey, holder }
  try {
    await requireStorage(deps, image).label(storageKey, labels)
    await endClaim(deps.db, claim)
    return true
  } catch (error) {
    deps.log.warn({ ...claim, error: messageOf(error) }, 'labels not sent')
    await postpone(deps.db, claim, messageOf(error)).catch(() => {})
    return false
  }
}

export type LabelledImage = { image: ImageRow; labels: Labels }

/**
 * Writes the labels of all the images in one statement. Throws `conflict` when one of them was
 * changed, replaced or deleted since it was read.
 */
export async function writeLabels(tx: Db, changes: readonly LabelledImage[]): Promise<void> {
  await requireUnchanged(tx, changes)
  const data = changes.map(({ image: { id }, labels: { tags, context } }) => ({
    id,
    tags,
    context,
  }))
  await tx.execute(sql`
    update ${images} as i set
      tags = array(select jsonb_array_elements_text(c.tags)), context = c.context, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(data)}::jsonb) as c(id uuid, tags jsonb, context jsonb)
    where i.id = c.id`)
}

async function requireUnchanged(tx: Db, changes: readonly LabelledImage[]): Promise<void> {
  const ids = changes.map(({ image }) => image.id)
  const { id, storageKey, updatedAt } = images
  const now = await tx
    .select({ id, storageKey, updatedAt })
    .from(images)
    .where(inArray(images.id, ids))
    .orderBy(asc(images.id))
    .for('update')
  const stateOf = (image: Pick<ImageRow, 'storageKey' | 'updatedAt'>) =>
    `${image.storageKey} ${image.updatedAt.getTime()}`
  const states = new Map(now.map((image) => [image.id, stateOf(image)]))
  if (changes.every(({ image }) => states.get(image.id) === stateOf(image))) return
  throw new AppError(
    'conflict',
    'Some of these images were changed at the same moment; nothing was changed, try again',
    { retryAfter: 1 },
  )
}
