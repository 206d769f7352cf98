import { rm } from 'node:fs/promises'
import type { Deps } from '@/lib/deps'
import { type PreparedImage, prepareImage } from './prepare-image'
import { newName, publicIdOf, type UploadFields } from './read-upload-fields'
import { type Caller, requireReplaceable, type SavedImage, saveImage } from './save-image'
import { settleObject, storeObject } from './settle-object'
import { findByPublicId } from './store'

/** The uploaded file on disk, as it was sent; `fileName` for display. */
export type UploadedFile = { path: string; fileName: string; sha256: string }

/**
 * Uploads an image: checks it, stores it and records it, replacing the image of the same folder and
 * asset id unless that is refused. Record and object stay together whatever fails: the object is claimed before it is
 * stored, and the claim ends in the transaction that records it. Throws what `prepareImage` does,
 * `upstream_failed`, `upstream_timeout`, `conflict` while another request replaces the image, and as
 * `requireReplaceable` does.
 */
export async function uploadImage(
  deps: Deps,
  caller: Caller,
  file: UploadedFile,
  fields: UploadFields,
): Promise<SavedImage> {
  const checked = `${file.path}.checked`
  const prepared = await prepareImage(file.path, checked, deps.settings.MAX_IMAGE_PIXELS)
  try {
    return await keep(deps, caller, file, fields, prepared)
  } finally {
    await rm(checked, { force: true })
  }
}

async function keep(
  deps: Deps,
  { actor, requestId }: Caller,
  { fileName, sha256 }: UploadedFile,
  fields: UploadFields,
  { path, extension, mediaType, bytes, width, height }: PreparedImage,
): Promise<SavedImage> {
  const { folder, assetId, sentAs, tags, context } = fields
  const name = assetId ?? newName()
  const publicId = publicIdOf(folder, name)
  const check = async () =>
    requireReplaceable(await findByPublicId(deps.db, publicId), { publicId, sentAs }, fields)
  await check()
  const object = { folder, name, extension, path, labels: { tags, context } }
  // Once more when no other upload can store it: some storages replace an object immediately.
  const { claim, stored } = await storeObject(deps, object, check)
  const saved = await saveImage(
    deps,
    { actor, requestId },
    claim,
    {
      ...stored,
      provider: claim.provider,
      storageKey: claim.storageKey,
      publicId,
      sentAs,
      name: assetId ?? fileName,
      format: extension,
      createdBy: actor.name,
      ...{ folder, mediaType, bytes, width, height, tags, context, sha256 },
      ...{ crop: null, focalPoint: null },
    },
    fields,
  )
  if (saved.left) await settleObject(deps, saved.left)
  return saved
}
