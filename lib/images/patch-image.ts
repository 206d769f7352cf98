import type { Deps } from '@/lib/deps'
import 'server-only'
import { recordAudit } from '@/lib/audit/record-audit'
import type { ImageRow } from '@/lib/db/schema'
import { AppError } from '@/lib/errors'
import { type Claim, claim, endClaim } from './claims'
import type { ImagePatch } from './contract'
import { requireStorage } from './require-storage'
import type { Caller } from './save-image'
import { settleClaim } from './settle-object'
import { findImage, updateImage } from './store'

/**
 * Replaces an image's tags, its context or both, at the provider and in the record. The object is
 * claimed meanwhile: after any failure in between, the provider gets the record's labels again.
 * Throws `not_found`, `conflict` while another request works on the image, and the storage's
 * errors.
 */
export async function patchImage(
  deps: Deps,
  caller: Caller,
  fileId: string,
  patch: ImagePatch,
): Promise<ImageRow> {
  const found = await findImage(deps.db, fileId)
  const home = requireStorage(deps, found)
  const held = await claim(deps.db, found)
  try {
    const before = await findImage(deps.db, fileId)
    if (before.storageKey !== found.storageKey) throw replaced()
    const { tags, context } = { ...before, ...patch }
    await home.label(before.storageKey, { tags, context })
    return await record(deps, caller, held, before, { tags, context })
  } catch (error) {
    await settleClaim(deps, held)
    throw error
  }
}

const replaced = () =>
  new AppError('conflict', 'The image was replaced at the same moment; try again', {
    retryAfter: 1,
  })

function record(
  { db }: Deps,
  { actor, requestId }: Caller,
  held: Claim,
  { id, tags, context }: ImageRow,
  labels: Required<ImagePatch>,
): Promise<ImageRow> {
  return db.transaction(async (tx) => {
    const image = await updateImage(tx, id, labels)
    await endClaim(tx, held)
    const entry = { action: 'images.update', objectType: 'image', objectId: id, requestId }
    const details = { before: { tags, context }, after: labels }
    await recordAudit(tx, actor, { ...entry, details })
    return image
  })
}
