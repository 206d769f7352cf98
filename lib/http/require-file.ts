import { AppError, type Validation } from '@/lib/errors'
import { unknownName } from '@/lib/values/unknown-name'
import type { Upload } from './multipart'
import type { StoredFile } from './store-file'

/** Names of parameters and fields besides `file`. */
type Known = { parameters: readonly string[]; fields: readonly string[] }

/**
 * The file of a form. Throws `unsupported_media_type` when the request is no form, `invalid_input` when it has no
 * file, an empty one, further files, or fields that are unknown or belong into the address.
 */
export function requireFile(upload: Upload | null | undefined, known: Known): StoredFile {
  if (!upload) throw new AppError('unsupported_media_type', 'Send the file as multipart/form-data')
  refuse(
    Object.keys(upload.fields)
      .filter((field) => !known.fields.includes(field))
      .map((field) => ({ field, error: whyUnknown(field, known) })),
  )
  refuseOtherFiles(upload)
  if (!upload.file)
    throw new AppError('invalid_input', 'Send a form with "file", a file that is not empty')
  return upload.file
}

/** Throws `invalid_input` for what would be skipped: files that are not called `file`. */
export function refuseOtherFiles({ otherFiles }: Upload): void {
  refuse(otherFiles.map((field) => ({ field, error: OTHER_FILE })))
}

/** Throws `invalid_input` for parameters in the form, where they have no effect. */
export function refuseParameters({ fields }: Upload, parameters: readonly string[]): void {
  refuse(
    Object.keys(fields)
      .filter((field) => parameters.includes(field))
      .map((field) => ({ field, error: inAddress(field) })),
  )
}

function refuse(validations: Validation[]): void {
  const [first] = validations
  if (first) throw new AppError('invalid_input', `${first.field}: ${first.error}`, { validations })
}

const OTHER_FILE = 'is sent as a file; only "file" is one, send this as a text field'

const inAddress = (field: string) =>
  `belongs into the address, as a parameter (?${field}=…), and not into the form`

function whyUnknown(field: string, { parameters, fields }: Known): string {
  if (field === 'file') return 'is sent as a text; send it as a file'
  return parameters.includes(field)
    ? inAddress(field)
    : unknownName('field', field, ['file', ...fields])
}
