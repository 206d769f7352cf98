import { AppError, type Validation } from '@/lib/errors'
import { MAX_VALIDATIONS } from './invalid-input'

const MAX_SENTENCE_CHARS = 2000
const MAX_FIELD_CHARS = 300

/**
 * The error limited to what fits a response and a log line, however much of the input its texts
 * repeat: long texts are truncated, and of many validations only the first are kept, with their
 * number in `meta.validationCount`.
 */
export function boundedError(error: AppError): AppError {
  const { validations = [], meta } = error.options
  const message = cut(error.message, MAX_SENTENCE_CHARS)
  if (message === error.message && validations.every(isShort) && !areMany(validations)) return error
  return new AppError(error.code, message, {
    ...error.options,
    validations: error.options.validations && validations.slice(0, MAX_VALIDATIONS).map(shortened),
    meta: areMany(validations) ? { validationCount: validations.length, ...meta } : meta,
    cause: error.options.cause ?? error,
  })
}

const areMany = (validations: Validation[]) => validations.length > MAX_VALIDATIONS

const isShort = ({ field, error }: Validation) =>
  field.length <= MAX_FIELD_CHARS && error.length <= MAX_SENTENCE_CHARS

const shortened = ({ field, error }: Validation): Validation => ({
  field: cut(field, MAX_FIELD_CHARS),
  error: cut(error, MAX_SENTENCE_CHARS),
})

/** Not between the halves of a surrogate pair. */
const cut = (text: string, chars: number): string =>
  text.length <= chars ? text : `${text.slice(0, chars - 1).replace(/[\ud800-\udbff]$/, '')}…`
