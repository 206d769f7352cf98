import { createHash, randomBytes } from 'node:crypto'

/** Bytes of UTF-8: a version and an extension must still fit into a file name of 255. */
const MAX_NAME_BYTES = 180
const MAX_FOLDER_BYTES = 200

type Cleaned = { value: string } | { error: string }

/**
 * The folder that a namespace means: parts of letters, digits, `-`, `_` and `.`, separated by `/`.
 * Other characters become `-`, and a part that had any gets a suffix: see `cleanPart`. A way up, an
 * empty part or too long a text is an error.
 */
export function cleanFolder(text: string): Cleaned {
  const inner = insideSlashes(text)
  if (inner.trim() === '') return { value: '' }
  const parts = inner.split('/').map(cleanPart)
  if (parts.includes('')) return { error: 'Must not have an empty part between slashes' }
  return checked(parts.join('/'), MAX_FOLDER_BYTES)
}

/** The name that an asset id means; a `/` is not part of a name. */
export function cleanName(text: string): Cleaned {
  const name = cleanPart(text)
  return name === '' ? { error: 'Must not be empty' } : checked(name, MAX_NAME_BYTES)
}

export const newName = () => randomBytes(10).toString('hex')

export const publicIdOf = (folder: string, name: string) => (folder ? `${folder}/${name}` : name)

/**
 * Namespace and asset id as they were sent, on one line. Two uploads of one public id whose texts
 * differ are two images: the name of one was cleaned to the literal name of the other.
 */
export function sentAs(namespace: string, assetId: string): string {
  const folder = insideSlashes(namespace)
  return publicIdOf(folder.trim() && folder, assetId).normalize('NFC')
}

const insideSlashes = (text: string) => text.replace(/^\/|\/$/g, '')

/**
 * A part with allowed characters only. If that changed it, a suffix derived from the text follows:
 * the same text always has the same name, and `photo 1` and `photo?1` have different ones.
 */
function cleanPart(text: string): string {
  const part = text.normalize('NFC')
  if (part.trim() === '') return ''
  // A leading dot would hide the file, or be a folder itself.
  const cleaned = part.replace(/[^\p{L}\p{M}\p{N}._-]/gu, '-').replace(/^\.(?!\.)|^\p{M}/u, '-')
  return cleaned === part ? part : `${cleaned}-${suffixOf(part)}`
}

const suffixOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

function checked(value: string, maxBytes: number): Cleaned {
  if (value.includes('..')) return { error: 'Must not contain ".."' }
  if (Buffer.byteLength(value) > maxBytes) return { error: `Must not exceed ${maxBytes} bytes` }
  return { value }
}
