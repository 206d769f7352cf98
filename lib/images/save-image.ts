import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import type { ImageRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { type Claim, endClaim, type ObjectRef, queueRemoval } from './claims'
import { cropAfter } from './framing-contract'
import type { UploadFields } from './read-upload-fields'
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

type Named = Pick<ImageRow, 'publicId' | 'sentAs'>
type Wanted = Pick<UploadFields, 'replaces' | 'mayReplace'>

/**
 * Throws `conflict` when an upload names another image in `replaces` than the one that it would replace, or none
 * where there is none; and when there is an image of the public id of an upload which the upload does not name in
 * `replaces`, and which it may not replace, or has the same name by coincidence: one was cleaned, the other was
 * sent literally.
 */
export function requireReplaceable(
  before: (Named & { id: string }) | null,
  { publicId, sentAs }: Named,
  { replaces, mayReplace }: Wanted,
): void {
  if (replaces !== null && before?.id !== replaces) throw notReplaced(publicId, before, replaces)
  if (before === null || before.id === replaces) return
  const isSame = before.sentAs === null || before.sentAs === sentAs
  if (isSame && mayReplace) return
  const origin = isSame
    ? 'an image that exists'
    : `the image that was uploaded as ${JSON.stringify(before.sentAs?.slice(0, 200))}`
  throw new AppError(
    'conflict',
    `"${publicId}" is the name of ${origin}; choose another name, or send the fileId of that image in "replaces"`,
    { meta: { existing: before.id } },
  )
}

const notReplaced = (publicId: string, before: { id: string } | null, replaces: string) =>
  new AppError(
    'conflict',
    `"${publicId}" is ${before ? 'the name of another image' : 'no name of an image'}, not of ${JSON.stringify(replaces.slice(0, 100))}, which "replaces" names; nothing was replaced`,
    { meta: before ? { existing: before.id } : {} },
  )
