import 'server-only'
import { recordAudit } from '@/lib/audit/record-audit'
import type { ImageRow } from '@/lib/db/schema'
import { messageOf } from '@/lib/errors'
import type { Deps } from '@/lib/runtime'
import type { ImagePatch } from './contract'
import { requireStorage } from './require-storage'
import type { Caller } from './save-image'
import { findImage, updateImage } from './store'

/**
 * Replaces an image's tags, its context or both, with the provider and in the record. Throws
 * `not_found`, and the storage's errors with nothing changed.
 */
export async function patchImage(
  deps: Deps,
  caller: Caller,
  fileId: string,
  patch: ImagePatch,
): Promise<ImageRow> {
  const before = await findImage(deps.db, fileId)
  const home = requireStorage(deps, before)
  const { tags, context } = { ...before, ...patch }
  await home.label(before.storageKey, { tags, context })
  try {
    return await record(deps, caller, before, { tags, context })
  } catch (error) {
    await home
      .label(before.storageKey, before)
      .catch((cause) => deps.log.warn({ fileId, error: messageOf(cause) }, 'labels not restored'))
    throw error
  }
}

function record(
  { db }: Deps,
  { actor, requestId }: Caller,
  { id, tags, context }: ImageRow,
  labels: Required<ImagePatch>,
): Promise<ImageRow> {
  return db.transaction(async (tx) => {
    const image = await updateImage(tx, id, labels)
    const entry = { action: 'images.update', objectType: 'image', objectId: id, requestId }
    const details = { before: { tags, context }, after: labels }
    await recordAudit(tx, actor, { ...entry, details })
    return image
  })
}
