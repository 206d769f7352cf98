import { AppError, type Validation } from '@/lib/errors'
import { type FieldNaming, nameIn } from '@/lib/rows/field-naming'
import { pointerTo } from '@/lib/rows/record-faults'
import { toStorableText } from '@/lib/values/storable'
import { shorten } from '@/lib/values/unknown-name'
import { isReadable, type WriteRule } from '../write-rule'

const MAX_NAMED = 100

/** A field that a record may not get; without an index: no record at all. */
export type ClosedField = { index?: number; name: string }

/**
 * Throws `forbidden` that names the fields that the caller may read but not write, else `invalid_input` for those of which it
 * knows nothing. `prefix`: of the place, such as `set.`.
 */
export function refuseClosed(
  rule: WriteRule,
  closed: readonly ClosedField[],
  naming: FieldNaming,
  prefix = '',
): void {
  const readable = closed.filter(({ name }) => isReadable(rule, name))
  const [code, fields, error] =
    readable.length > 0
      ? (['forbidden', readable, 'may be read but not written by you'] as const)
      : (['invalid_input', closed, `is not a field of ${rule.entity.name}`] as const)
  const validations = fields.slice(0, MAX_NAMED).map(({ index, name }): Validation => {
    const field = `${prefix}${toStorableText(shorten(name))}`
    return { field: nameIn(naming, index, { pointer: pointerTo(field), name: field }), error }
  })
  const [first] = validations
  if (!first) return
  const more = fields.length > 1 ? ` (and ${fields.length - 1} more)` : ''
  const meta = fields.length > MAX_NAMED ? { validationCount: fields.length } : {}
  throw new AppError(code, `${first.field}: ${first.error}${more}`, { validations, meta })
}

const VERBS = { write: 'write', update: 'change', delete: 'delete' } as const

/** Of a record that the caller may read. */
export const notCovered = ({ entity, action }: WriteRule) =>
  new AppError(
    'forbidden',
    `Policies let you ${VERBS[action]} other records of "${entity.name}" only`,
  )

/** Of what a record would be; names nothing, since the caller need not know what policies ask for. */
export const notAllowed = ({ entity }: WriteRule) =>
  new AppError(
    'forbidden',
    `A policy does not allow records of "${entity.name}" with these values; nothing was written`,
  )
