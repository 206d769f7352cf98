import { recordAudit } from '@/lib/audit/record-audit'
import type { ImageRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { queueRemoval } from './claims'
import type { Caller } from './save-image'
import { requireStorage, settleObject } from './settle-object'
import { deleteImageRow, findImage, lockPublicId } from './store'

/**
 * Deletes an image: the record immediately, and the object too or, when its storage fails, as soon
 * as that works again. Throws `not_found`.
 */
export async function deleteImage(deps: Deps, caller: Caller, fileId: string): Promise<ImageRow> {
  const found = await findImage(deps.db, fileId)
  requireStorage(deps, found)
  const image = await deps.db.transaction((tx) => remove(tx, caller, found))
  await settleObject(deps, image)
  return image
}

async function remove(tx: Db, { actor, requestId }: Caller, found: ImageRow): Promise<ImageRow> {
  await lockPublicId(tx, found.publicId)
  const image = await deleteImageRow(tx, found.id)
  await queueRemoval(tx, image)
  await recordAudit(tx, actor, {
    action: 'images.delete',
    objectType: 'image',
    objectId: image.id,
    details: { publicId: image.publicId },
    requestId,
  })
  return image
}
