import type { FileDetail } from '@/lib/definitions/file-detail'
import { AppError, type Validation } from '@/lib/errors'
import { literalOf, stringifyExactly } from '@/lib/values/exact-numbers'
import type { Json, JsonObject } from '@/lib/values/json'
import type { Conflicts } from '../conflicts'
import { nameIn } from './read-set'

/** A fault of a record that an edit would make, with the record's key. */
export type EditFault = { detail: FileDetail; key: JsonObject }

type Faults = { code: 'invalid_input' | 'conflict'; faults: readonly EditFault[]; count: number }

/** For records that an edit would make invalid: the first 100, each with its key and value. */
export function editRefused({ code, faults, count }: Faults): AppError {
  const validations = faults.map(toValidation)
  const [first] = validations
  const more = count > 1 ? ` (and ${count - 1} more)` : ''
  const text = `${first?.field}: ${first?.error}${more}; nothing was changed`
  const meta = count > validations.length ? { validationCount: count } : {}
  return new AppError(code, text, { validations, meta })
}

/** For values that are taken, and references to nothing. */
export function editConflicts(found: Conflicts, keyAt: (index: number) => JsonObject): AppError {
  return editRefused({
    code: found.kind === 'reference' ? 'invalid_input' : 'conflict',
    faults: found.details.map((detail) => ({ detail, key: keyAt(detail.index ?? -1) })),
    count: found.count,
  })
}

function toValidation({ detail, key }: EditFault): Validation {
  const { pointer = '', message, value } = detail
  const name = nameIn(pointer)
  const shown = shownKey(key)
  const parts = [
    ...(shown ? [`record ${shown}`] : []),
    ...(name && value !== undefined ? [`would get ${textOf(value)}`] : []),
  ]
  const about = parts.length > 0 ? ` (${parts.join(' ')})` : ''
  return { field: name ? `set.${name}` : 'set', error: message + about }
}

/** A key as messages name its record. */
export const shownKey = (key: JsonObject): string => Object.values(key).map(textOf).join(', ')

const textOf = (value: Json): string =>
  literalOf(value) ?? (typeof value === 'string' ? value : stringifyExactly(value))
