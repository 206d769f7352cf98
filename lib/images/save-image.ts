import type { Deps } from '@/lib/deps'
import 'server-only'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import type { ImageRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { type Claim, endClaim, type ObjectRef, queueRemoval } from './claims'
import { cropAfter } from './framing-contract'
import type { UploadFields } from './read-upload-fields'
import { requireReplaceable } from './require-replaceable'
import { settleClaim } from './settle-object'
import {
  findByPublicId,
  findDuplicate,
  insertImage,
  keepFormerKey,
  lockPublicId,
  type NewImage,
  updateImage,
} from './store'

export type Caller = { actor: Actor; requestId: string }

export type SavedImage = {
  image: ImageRow
  /** Of the oldest other image of the folder with the same content, or null. */
  duplicateOf: string | null
  /** The object of the replaced image, which no image uses any more. */
  left: ObjectRef | null
}

/**
 * Records a stored object as a new image, or as the new content of the image of its name. When that
 * fails, the object is removed, now or by the sweep.
 */
export async function saveImage(
  deps: Deps,
  caller: Caller,
  claim: Claim,
  image: NewImage,
  wanted: UploadFields,
): Promise<SavedImage> {
  try {
    return await deps.db.transaction((tx) => save(tx, caller, claim, image, wanted))
  } catch (error) {
    await settleClaim(deps, claim)
    throw error
  }
}

async function save(
  tx: Db,
  { actor, requestId }: Caller,
  claim: Claim,
  image: NewImage,
  wanted: UploadFields,
): Promise<SavedImage> {
  await lockPublicId(tx, image.publicId)
  const before = await findByPublicId(tx, image.publicId)
  requireReplaceable(before, image, wanted)
  const after = before
    ? await updateImage(tx, before.id, {
        ...image,
        name: before.name,
        createdBy: before.createdBy,
        sentAs: before.sentAs ?? image.sentAs,
        crop: cropAfter(before, image),
        focalPoint: before.focalPoint,
      })
    : await insertImage(tx, image)
  await endClaim(tx, claim)
  const left = before && isElsewhere(before, claim) ? before : null
  if (left) {
    await keepFormerKey(tx, left)
    await queueRemoval(tx, left)
  }
  await recordAudit(tx, actor, {
    action: before ? 'images.replace' : 'images.upload',
    objectType: 'image',
    objectId: after.id,
    details: { publicId: after.publicId, bytes: after.bytes, sha256: after.sha256 },
    requestId,
  })
  return { image: after, duplicateOf: await findDuplicate(tx, after), left }
}

const isElsewhere = (image: ObjectRef, object: ObjectRef) =>
  image.provider !== object.provider || image.storageKey !== object.storageKey
