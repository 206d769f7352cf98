import type { FileDetail } from '@/lib/definitions/file-detail'
import { AppError, type Validation } from '@/lib/errors'
import type { Conflicts } from './conflicts'
import { MAX_DETAILS } from './record-faults'

/** How a request names the fields of its records: `name` for a single record, or `records.3.name`. */
export type FieldNaming = 'single' | 'batch'

/** Throws `invalid_input` that names every faulty field of every record (the first 100). */
export function requireNoFaults(faults: FileDetail[], count: number, naming: FieldNaming): void {
  if (count > 0) throw failure('invalid_input', faults, count, naming)
}

type Found = Pick<Conflicts, 'kind' | 'details' | 'count'>

/** Throws `conflict`, or `invalid_input` for references to nothing, naming fields and values. */
export function requireNoConflicts({ kind, details, count }: Found, naming: FieldNaming): void {
  if (count === 0) return
  throw failure(kind === 'reference' ? 'invalid_input' : 'conflict', details, count, naming)
}

function failure(
  code: 'invalid_input' | 'conflict',
  details: FileDetail[],
  count: number,
  naming: FieldNaming,
): AppError {
  const validations = details.map((detail) => toValidation(detail, naming))
  const first = validations[0] ?? { field: '', error: 'A record is not valid' }
  const more = count > 1 ? ` (and ${count - 1} more)` : ''
  const isSentence = code === 'conflict' && naming === 'single'
  const place = first.field && !isSentence ? `${first.field}: ` : ''
  const meta = count > MAX_DETAILS ? { validationCount: count } : {}
  return new AppError(code, `${place}${first.error}${more}`, { validations, meta })
}

function toValidation(
  { index, pointer = '', message }: FileDetail,
  naming: FieldNaming,
): Validation {
  const name = pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')
  const record = naming === 'batch' && index !== undefined ? `records.${index}` : ''
  return { field: [record, name].filter(Boolean).join('.'), error: message }
}
