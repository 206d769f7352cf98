import type { Deps } from '@/lib/deps'
import 'server-only'
import { rm } from 'node:fs/promises'
import { newName, publicIdOf } from './object-name'
import { type PreparedImage, prepareImage } from './prepare-image'
import type { UploadFields } from './read-upload-fields'
import { requireSameOrigin } from './require-same-origin'
import { type Caller, type SavedImage, saveImage } from './save-image'
import { settleObject } from './settle-object'
import { findByPublicId } from './store'
import { storeObject } from './store-object'

/** The uploaded file on disk, as it was sent; `fileName` for display. */
export type UploadedFile = { path: string; fileName: string; sha256: string }

/**
 * Uploads an image: checks it, stores it and records it, replacing the image of the same folder and
 * asset id. Record and object stay together whatever fails: the object is claimed before it is
 * stored, and the claim ends in the transaction that records it. Throws what `prepareImage` does,
 * `upstream_failed`, `upstream_timeout`, and `conflict` while another request replaces the image or
 * when its name belongs to an image that was uploaded under another.
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
  { folder, assetId, sentAs, replaces, tags, context }: UploadFields,
  { path, extension, mediaType, bytes, width, height }: PreparedImage,
): Promise<SavedImage> {
  const name = assetId ?? newName()
  const publicId = publicIdOf(folder, name)
  // Before the object is stored: some storages replace it immediately.
  requireSameOrigin(await findByPublicId(deps.db, publicId), { publicId, sentAs }, replaces)
  const object = { folder, name, extension, path, labels: { tags, context } }
  const { claim, stored } = await storeObject(deps, object)
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
    },
    replaces,
  )
  if (saved.left) await settleObject(deps, saved.left)
  return saved
}
