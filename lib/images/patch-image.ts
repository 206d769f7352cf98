import { recordAudit } from '@/lib/audit/record-audit'
import type { ImageRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError, messageOf } from '@/lib/errors'
import type { JsonObject } from '@/lib/values/json'
import { type Claim, claim, endClaim } from './claims'
import type { ImagePatch } from './contract'
import type { Caller } from './save-image'
import { requireStorage, settleClaim } from './settle-object'
import { findImage, updateImage } from './store'

/**
 * Replaces an image's tags, context, crop and focal point, as given, at the provider and in the
 * record. The object is claimed meanwhile: after any failure in between, the provider gets the
 * record's labels again. Throws `not_found`, `conflict` while another request works on the image,
 * `invalid_input` for a crop without a whole pixel, and the storage's errors.
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
    requirePixel(before, patch)
    const { tags, context } = { ...before, ...patch }
    if (patch.tags || patch.context) await home.label(before.storageKey, { tags, context })
    const image = await record(deps, caller, held, before, patch)
    if (patch.crop !== undefined || patch.focalPoint !== undefined) await removeParts(deps, image)
    return image
  } catch (error) {
    await settleClaim(deps, held)
    throw error
  }
}

const replaced = () =>
  new AppError('conflict', 'The image was replaced at the same moment; try again', {
    retryAfter: 1,
  })

function requirePixel({ width, height }: ImageRow, { crop }: ImagePatch): void {
  if (!crop || (crop.width * width >= 1 && crop.height * height >= 1)) return
  const error = `Must be at least one pixel of the ${width} × ${height} each way`
  throw new AppError('invalid_input', `crop: ${error}`, { validations: [{ field: 'crop', error }] })
}

function record(
  { db }: Deps,
  { actor, requestId }: Caller,
  held: Claim,
  before: ImageRow,
  patch: ImagePatch,
): Promise<ImageRow> {
  return db.transaction(async (tx) => {
    const image = await updateImage(tx, before.id, patch)
    await endClaim(tx, held)
    const entry = { action: 'images.update', objectType: 'image', objectId: before.id, requestId }
    const details = { before: fieldsOf(before, patch), after: fieldsOf(image, patch) }
    await recordAudit(tx, actor, { ...entry, details })
    return image
  })
}

/** Those that a change names. */
const fieldsOf = (image: ImageRow, patch: ImagePatch): JsonObject =>
  Object.fromEntries(Object.keys(patch).map((name) => [name, image[name as keyof ImagePatch]]))

/** What can't be removed now goes with the image. */
async function removeParts({ storage, log }: Deps, { provider, storageKey }: ImageRow) {
  if (provider !== 'local') return
  await storage.local.removeParts(storageKey).catch((error) => {
    log.warn({ storageKey, error: messageOf(error) }, 'smaller forms not removed')
  })
}
