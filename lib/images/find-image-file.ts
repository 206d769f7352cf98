import type { Deps } from '@/lib/deps'
import { readLocalKey } from '@/lib/storage/local-key'
import type { LocalFile } from '@/lib/storage/storage'
import { type Aspect, framingTag, regionOf, thumbnailUri } from './framing-contract'
import { findByFormerKey, findImageOf } from './store'
import type { ThumbnailWidth } from './thumbnail-contract'

/** `tag`: the crop and focal point that the address was made for. */
export type WantedForm = { width: ThumbnailWidth; aspect: Aspect | null; tag: string | null }

/** A file; `permanent` unless the address leads to other files later. Or the image's address now. */
export type FoundFile = { file: LocalFile; permanent: boolean } | { movedTo: string }

/**
 * What an address of the disk leads to: an object or, with `form`, a thumbnail of it; the address of today
 * where the image was replaced; null where there is none.
 */
export async function findImageFile(
  deps: Deps,
  key: string,
  form: WantedForm | null,
): Promise<FoundFile | null> {
  if (!readLocalKey(key)) return null
  const found = form ? await findForm(deps, key, form) : await deps.storage.local.find(key)
  if (found) return 'file' in found ? found : { file: found, permanent: true }
  const image = await findByFormerKey(deps.db, key)
  if (!image) return null
  const movedTo = form ? thumbnailUri(image, form.width, form.aspect ?? undefined) : image.secureUri
  return { movedTo }
}

async function findForm({ db, storage }: Deps, key: string, { width, aspect, tag }: WantedForm) {
  const image = await findImageOf(db, { provider: 'local', storageKey: key })
  if (!image) return null
  const region = regionOf(image, aspect)
  const file = await storage.local.findThumbnail(key, { width, region })
  return file && { file, permanent: tag === framingTag(image) }
}
