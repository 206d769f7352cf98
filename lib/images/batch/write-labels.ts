import 'server-only'
import { asc, inArray, sql } from 'drizzle-orm'
import { type ImageRow, images } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'
import type { Labels } from '@/lib/storage/storage'

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
