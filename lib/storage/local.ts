import { constants } from 'node:fs'
import { access, copyFile, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { AppError } from '@/lib/errors'
import { THUMBNAIL_WIDTHS } from '@/lib/images/thumbnail-contract'
import { withDecoder } from '@/lib/sharp'
import { localAssetId, localPath, newLocalKey, readLocalKey } from './local-key'
import type { LocalFile, LocalFiles, Storage, ThumbnailForm } from './storage'

/** Incomplete files of other processes are kept until they are this old. */
const ABANDONED_AFTER_MS = 8 * 60_000

/**
 * Stores objects in `root/objects`, one file each, written once and never changed. A file gets its
 * public name by a rename, when all of it is on the disk.
 */
export function localStorage(root: string): Storage & LocalFiles {
  const folder = resolve(root)
  const objectPath = (key: string) => join(folder, 'objects', key)
  const temporary = join(folder, 'tmp')
  const thumbnails = join(folder, 'thumbnails')

  const find = async (key: string): Promise<LocalFile | null> => {
    const known = readLocalKey(key)
    if (!known) return null
    const found = await lstat(objectPath(key)).catch(missing)
    return found?.isFile() ? { path: objectPath(key), size: found.size, ...known } : null
  }

  return {
    provider: 'local',
    keyFor: newLocalKey,
    put: ({ key, path }) =>
      onDisk(async () => {
        await put(path, objectPath(key), temporary)
        return { assetId: localAssetId(key), uri: localPath(key), secureUri: localPath(key) }
      }, key),
    label: async () => {}, // the record has them
    remove: (key) =>
      onDisk(async () => {
        if (!readLocalKey(key)) return
        await rm(objectPath(key), { force: true })
        await removeThumbnails(thumbnails, key)
      }, key),
    describe: async () => null,
    check: () =>
      onDisk(async () => {
        await mkdir(temporary, { recursive: true })
        await access(temporary, constants.W_OK)
      }, 'tmp'),
    temporary,
    find,
    findThumbnail: async (key, form) => {
      const object = await find(key)
      return object && findThumbnail({ folder: thumbnails, temporary, key, form, object })
    },
    removeParts: async (key) => {
      if (readLocalKey(key)) await removeParts(thumbnails, key)
    },
    sweep: () => sweepFolder(temporary, ABANDONED_AFTER_MS),
  }
}

async function put(from: string, to: string, temporary: string): Promise<void> {
  const half = join(temporary, crypto.randomUUID())
  await mkdir(temporary, { recursive: true })
  try {
    await copyFile(from, half)
    await flush(half)
    await mkdir(dirname(to), { recursive: true })
    await rename(half, to)
    await flush(dirname(to))
  } finally {
    await rm(half, { force: true })
  }
}

/** Waits until a file's content, or a folder's entries, would survive a power failure. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function onDisk<T>(work: () => Promise<T>, key: string): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown fault'
    const message = `The image storage failed (${code}); try again, or check the server's disk`
    throw new AppError('upstream_failed', message, { cause: new Error(`${code} at ${key}`) })
  }
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ENAMETOOLONG')
    return null
  throw error
}

/** Removes the files directly in `folder` that have not changed for `olderThanMs`. */
async function sweepFolder(folder: string, olderThanMs: number): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found?.isFile() && Date.now() - found.mtimeMs > olderThanMs) await rm(path, { force: true })
  }
}

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
async function findThumbnail(wanted: Wanted): Promise<LocalFile | null> {
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
const removeParts = (folder: string, key: string): Promise<void> =>
  rm(partsOf(folder, key), { recursive: true, force: true })

async function removeThumbnails(folder: string, key: string): Promise<void> {
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
