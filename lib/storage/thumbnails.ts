import 'server-only'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { THUMBNAIL_WIDTHS } from '@/lib/images/thumbnail-contract'
import { withDecoder } from '@/lib/sharp'
import type { LocalFile } from './storage'

type Wanted = { folder: string; temporary: string; key: string; width: number; object: LocalFile }

const pathOf = (folder: string, key: string, width: number) =>
  join(folder, String(width), `${key}.webp`)

const making = new Map<string, Promise<void>>()

/**
 * The file of the thumbnail, created if it does not exist; concurrent requests share one creation.
 * Null when the object is removed meanwhile.
 */
export async function findThumbnail(wanted: Wanted): Promise<LocalFile | null> {
  const { folder, key, width, object } = wanted
  const path = pathOf(folder, key, width)
  const known = { path, mediaType: 'image/webp', version: `${object.version}-${width}` }
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

export async function removeThumbnails(folder: string, key: string): Promise<void> {
  for (const width of THUMBNAIL_WIDTHS) await rm(pathOf(folder, key, width), { force: true })
}

async function make({ temporary, width, object }: Wanted, path: string): Promise<void> {
  const half = join(temporary, crypto.randomUUID())
  await mkdir(temporary, { recursive: true })
  await mkdir(dirname(path), { recursive: true })
  try {
    await withDecoder((sharp) =>
      sharp(object.path, { limitInputPixels: false })
        .autoOrient()
        .resize({ width, withoutEnlargement: true })
        .webp({ quality: 80 })
        .toFile(half),
    )
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
