import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { THUMBNAIL_WIDTHS } from '@/lib/images/framing-contract'
import { withDecoder } from '@/lib/sharp'
import type { LocalFile, ThumbnailForm } from './storage'

type Wanted = {
  folder: string
  temporary: string
  key: string
  form: ThumbnailForm
  object: LocalFile
}

/** Parts are kept by object, so that all of an object's can be removed without a list of them. */
const partsOf = (folder: string, key: string) => join(folder, 'parts', key)

const pathOf = (folder: string, key: string, { width, region }: ThumbnailForm) =>
  region
    ? join(partsOf(folder, key), `${nameOf({ width, region })}.webp`)
    : join(folder, String(width), `${key}.webp`)

const nameOf = ({ width, region }: ThumbnailForm) =>
  region ? [width, region.left, region.top, region.width, region.height].join('-') : String(width)

const making = new Map<string, Promise<void>>()

/**
 * The file of the thumbnail, created if it does not exist; concurrent requests share one creation.
 * Null when the object is removed meanwhile.
 */
export async function findThumbnail(wanted: Wanted): Promise<LocalFile | null> {
  const { folder, key, form, object } = wanted
  const path = pathOf(folder, key, form)
  const known = { path, mediaType: 'image/webp', version: `${object.version}-${nameOf(form)}` }
  const found = await sizeOf(path)
  if (found !== null) return { ...known, size: found }
  let work = making.get(path)
  if (!work) {
    work = make(wanted, path).finally(() => making.delete(path))
    making.set(path, work)
  }
  await work
  const size = await sizeOf(path)
  return size === null ? null : { ...known, size }
}

/** Removes the thumbnails of parts of an object, which another crop or focal point has no use for. */
export const removeParts = (folder: string, key: string): Promise<void> =>
  rm(partsOf(folder, key), { recursive: true, force: true })

export async function removeThumbnails(folder: string, key: string): Promise<void> {
  for (const width of THUMBNAIL_WIDTHS)
    await rm(pathOf(folder, key, { width, region: null }), { force: true })
  await removeParts(folder, key)
}

async function make({ temporary, form, object }: Wanted, path: string): Promise<void> {
  const half = join(temporary, crypto.randomUUID())
  await mkdir(temporary, { recursive: true })
  await mkdir(dirname(path), { recursive: true })
  try {
    await withDecoder((sharp) => {
      const upright = sharp(object.path, { limitInputPixels: false }).autoOrient()
      const part = form.region ? upright.extract(form.region) : upright
      return part
        .resize({ width: form.width, withoutEnlargement: true })
        .webp({ quality: 80 })
        .toFile(half)
    })
    await rename(half, path)
    // The removal of the object has deleted its thumbnails already.
    if ((await sizeOf(object.path)) === null) await rm(path, { force: true })
  } catch (error) {
    if ((await sizeOf(object.path)) !== null) throw error
  } finally {
    await rm(half, { force: true })
  }
}

const sizeOf = async (path: string) => (await stat(path).catch(() => null))?.size ?? null
