import { randomBytes } from 'node:crypto'
import type { ObjectName } from './storage'

const MEDIA_TYPES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
}

/** Random and never reused, so addresses can't be guessed and can be cached permanently. */
const VERSION = /\.([0-9a-f]{24})\.([a-z]{3,4})$/
/** Not a hidden file, a parent folder or a path separator of any system. */
const SEGMENT = /^[\p{L}\p{M}\p{N}_-][\p{L}\p{M}\p{N}._-]*$/u

/** `folder/name.<version>.png`: a path below the folder of objects, unique to this call. */
export function newLocalKey({ folder, name, extension }: ObjectName): string {
  const file = `${name}.${randomBytes(12).toString('hex')}.${extension}`
  return folder ? `${folder}/${file}` : file
}

/** The parts of a key, null when no object can have such a key. */
export function readLocalKey(key: string): { mediaType: string; version: string } | null {
  const [, version, extension] = VERSION.exec(key) ?? []
  const mediaType = extension && Object.hasOwn(MEDIA_TYPES, extension) && MEDIA_TYPES[extension]
  if (!version || !mediaType) return null
  const safe = key.split('/').every((part) => SEGMENT.test(part) && !part.includes('..'))
  return safe ? { mediaType, version } : null
}

/** The identifier of a local object: the version in its key, which no other object has. */
export const localAssetId = (key: string): string => VERSION.exec(key)?.[1] ?? key

/** Path of a local object's address, below the app's address. */
export const localPath = (key: string) =>
  `/api/images/files/${key.split('/').map(encodeURIComponent).join('/')}`
