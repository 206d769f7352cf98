import { AppError } from '@/lib/errors'

const MAX_NAME_LENGTH = 200

/**
 * What is wrong with a text field, null when it is valid. (busboy's types omit that name and value
 * are undefined when the part's header is malformed.)
 */
export function fieldProblem(
  name: string | undefined,
  value: string | undefined,
  truncated: boolean,
  taken: Map<string, string>,
): AppError | null {
  if (name === undefined || value === undefined) return malformed()
  if (truncated || name.length > MAX_NAME_LENGTH)
    return new AppError('too_large', 'A field of the form is larger than 64 KiB')
  if (!taken.has(name)) return null
  return new AppError('invalid_input', `The field "${name}" is given more than once`, {
    validations: [{ field: name, error: 'Given more than once' }],
  })
}

/**
 * Whether to keep an error: those of the disk are for the log, those of the parser mean a bad form.
 */
export const isRefusal = (error: unknown) =>
  error instanceof AppError || (error as NodeJS.ErrnoException).syscall !== undefined

export const malformed = (cause?: unknown) =>
  new AppError('invalid_input', 'The form is incomplete or malformed; send it again', { cause })

export const severalFiles = () => new AppError('invalid_input', 'Send one file, not several')

export const tooManyParts = () => new AppError('invalid_input', 'The form has too many fields')
