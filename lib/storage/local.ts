import { constants } from 'node:fs'
import { access, copyFile, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { AppError } from '@/lib/errors'
import { localAssetId, localPath, newLocalKey, readLocalKey } from './local-key'
import type { LocalFile, LocalFiles, Storage } from './storage'
import { findThumbnail, removeParts, removeThumbnails } from './thumbnails'

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
