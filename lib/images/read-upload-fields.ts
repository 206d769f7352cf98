import { createHash, randomBytes } from 'node:crypto'
import { AppError, type Validation } from '@/lib/errors'
import { JsonSyntaxError, parseJson } from '@/lib/values/json'
import { type UploadOptions, uploadOptionsSchema } from './contract'

export type UploadFields = {
  /** Empty without a namespace. */
  folder: string
  /** Null: one is generated. */
  assetId: string | null
  /** The texts of both, see `sentAs`; null without an asset id. */
  sentAs: string | null
  /** The `fileId` of the image that may be replaced although its name was made from other texts. */
  replaces: string | null
  /** Whether an image of that name is replaced without being named in `replaces`. */
  mayReplace: boolean
  tags: string[]
  context: Record<string, string>
}

const KNOWN = ['namespace', 'folder', 'assetId', 'filename', 'options', 'replaces', 'ifExists']

const UNKNOWN = `Unknown field; known are file, ${KNOWN.join(', ')}`
const SENT_AS_TEXT = 'is sent as a text; send it as a file'

/**
 * Reads the text fields of an upload form. Throws `invalid_input` that names every
 * invalid field.
 */
export function readUploadFields(fields: Record<string, string>): UploadFields {
  const faults: Validation[] = Object.keys(fields)
    .filter((field) => !KNOWN.includes(field))
    .map((field) => ({ field, error: field === 'file' ? SENT_AS_TEXT : UNKNOWN }))
  const folder = readAlias(fields, 'namespace', 'folder', cleanFolder, faults)
  const assetId = readAlias(fields, 'assetId', 'filename', cleanName, faults)
  const { tags = [], context = {} } = readOptions(fields.options, faults)
  const ifExists = fields.ifExists || 'replace'
  if (ifExists !== 'replace' && ifExists !== 'refuse')
    faults.push({ field: 'ifExists', error: 'Must be "replace" or "refuse"' })
  const [first] = faults
  if (!first) {
    const sent = fields.assetId || fields.filename
    const origin = sent ? sentAs(fields.namespace || fields.folder || '', sent) : null
    const replaces = fields.replaces || null
    const mayReplace = ifExists === 'replace'
    return { folder: folder ?? '', assetId, sentAs: origin, replaces, mayReplace, tags, context }
  }
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  throw new AppError('invalid_input', `${first.field}: ${first.error}${more}`, {
    validations: faults,
  })
}

/** A value that has two possible field names; an empty text counts as absent. */
function readAlias(
  fields: Record<string, string>,
  name: string,
  alias: string,
  clean: typeof cleanName,
  faults: Validation[],
): string | null {
  if (fields[name] && fields[alias]) {
    faults.push({ field: alias, error: `Is the same as "${name}"; give one of them` })
    return null
  }
  const field = fields[alias] ? alias : name
  const text = fields[field]
  if (!text) return null
  const cleaned = clean(text)
  if ('value' in cleaned) return cleaned.value
  faults.push({ field, error: cleaned.error })
  return null
}

function readOptions(text: string | undefined, faults: Validation[]): UploadOptions {
  if (!text?.trim()) return {}
  const value = parse(text, faults)
  if (value === undefined) return {}
  const result = uploadOptionsSchema.safeParse(value)
  if (result.success) return result.data
  for (const { path, message } of result.error.issues)
    faults.push({ field: ['options', ...path].join('.'), error: message })
  return {}
}

function parse(text: string, faults: Validation[]): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    faults.push({ field: 'options', error: `Is not valid JSON: ${error.message}` })
    return undefined
  }
}

/** Bytes of UTF-8: a version and an extension must still fit into a file name of 255. */
const MAX_NAME_BYTES = 180
const MAX_FOLDER_BYTES = 200

type Cleaned = { value: string } | { error: string }

/**
 * The folder that a namespace means: parts of letters, digits, `-`, `_` and `.`, separated by `/`.
 * Other characters become `-`, and a part that had any gets a suffix: see `cleanPart`. A way up, an
 * empty part or too long a text is an error.
 */
function cleanFolder(text: string): Cleaned {
  const inner = insideSlashes(text)
  if (inner.trim() === '') return { value: '' }
  const parts = inner.split('/').map(cleanPart)
  if (parts.includes('')) return { error: 'Must not have an empty part between slashes' }
  return checked(parts.join('/'), MAX_FOLDER_BYTES)
}

/** The name that an asset id means; a `/` is not part of a name. */
function cleanName(text: string): Cleaned {
  const name = cleanPart(text)
  return name === '' ? { error: 'Must not be empty' } : checked(name, MAX_NAME_BYTES)
}

export const newName = () => randomBytes(10).toString('hex')

export const publicIdOf = (folder: string, name: string) => (folder ? `${folder}/${name}` : name)

/**
 * Namespace and asset id as they were sent, on one line. Two uploads of one public id whose texts
 * differ are two images: the name of one was cleaned to the literal name of the other.
 */
function sentAs(namespace: string, assetId: string): string {
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
