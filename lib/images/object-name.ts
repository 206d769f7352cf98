import { randomBytes } from 'node:crypto'

/** Bytes of UTF-8: a version and an extension must still fit into a file name of 255. */
const MAX_NAME_BYTES = 180
const MAX_FOLDER_BYTES = 200

type Cleaned = { value: string } | { error: string }

/**
 * The folder that a namespace means: parts of letters, digits, `-`, `_` and `.`, parted by `/`. Other
 * characters become `-`. A way up, an empty part or too long a text is an error.
 */
export function cleanFolder(text: string): Cleaned {
  const trimmed = text.trim().replace(/^\/|\/$/g, '')
  if (trimmed === '') return { value: '' }
  const parts = trimmed.split('/').map(cleanPart)
  if (parts.includes('')) return { error: 'Must not have an empty part between slashes' }
  return checked(parts.join('/'), MAX_FOLDER_BYTES)
}

/** The name that an asset id means; a `/` is no part of a name. */
export function cleanName(text: string): Cleaned {
  const name = cleanPart(text.trim())
  return name === '' ? { error: 'Must not be empty' } : checked(name, MAX_NAME_BYTES)
}

export const newName = () => randomBytes(10).toString('hex')

export const publicIdOf = (folder: string, name: string) => (folder ? `${folder}/${name}` : name)

// A leading dot would hide the file, or be a folder itself.
const cleanPart = (text: string) =>
  text
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._-]/gu, '-')
    .replace(/^\.(?!\.)|^\p{M}/u, '-')

function checked(value: string, maxBytes: number): Cleaned {
  if (value.includes('..')) return { error: 'Must not contain ".."' }
  if (Buffer.byteLength(value) > maxBytes) return { error: `Must not exceed ${maxBytes} bytes` }
  return { value }
}
