import { AppError, type Validation } from '@/lib/errors'
import { JsonSyntaxError, parseJson } from '@/lib/values/json'
import { type UploadOptions, uploadOptionsSchema } from './contract'
import { cleanFolder, cleanName, sentAs } from './object-name'

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
 * Reads the text fields of an upload form; interface.md §8. Throws `invalid_input` that names every
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
