import type { FaultGroup } from '@/lib/definitions/fault-group'
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
export const editRefused = ({ code, faults, count }: Faults): AppError =>
  refusal(code, faults.map(toValidation), count)

function refusal(code: Faults['code'], validations: Validation[], count: number): AppError {
  const [first] = validations
  const more = count > 1 ? ` (and ${count - 1} more)` : ''
  const text = `${first?.field}: ${first?.error}${more}; nothing was changed`
  const meta = count > validations.length ? { validationCount: count } : {}
  return new AppError(code, text, { validations, meta })
}

/** For values that are taken, and references to nothing. */
export function editConflicts(found: Conflicts, keyAt: (index: number) => JsonObject): AppError {
  return editRefused({
    code: codeOf(found),
    faults: found.details.map((detail) => ({ detail, key: keyAt(detail.index ?? -1) })),
    count: found.count,
  })
}

/** The same for who may not read the records: the rules with the numbers of records, without keys and values. */
export function editRefusedUntold(code: Faults['code'], groups: readonly FaultGroup[]): AppError {
  const totals = new Map<string, { field: string; rule: string; total: number }>()
  for (const group of groups) {
    const about = ruleOf(group)
    const name = JSON.stringify(about)
    totals.set(name, { ...about, total: (totals.get(name)?.total ?? 0) + group.total })
  }
  const validations = [...totals.values()].map(({ field, rule, total }) => ({
    field,
    error: `${rule} (${total === 1 ? '1 record' : `${total} records`})`,
  }))
  return refusal(code, validations, validations.length)
}

function ruleOf({ rule, field, message }: FaultGroup): { field: string; rule: string } {
  // The database's own words may quote a record.
  if (rule === 'value') return { field: 'set', rule: 'is refused' }
  const isOfSeveral = rule === 'unique' && field?.includes(', ')
  if (isOfSeveral) return { field: 'set', rule: `${field} ${message}` }
  return { field: field ? `set.${field}` : 'set', rule: message }
}

export const editConflictsUntold = (found: Conflicts): AppError =>
  editRefusedUntold(codeOf(found), found.groups.list())

const codeOf = ({ kind }: Conflicts) => (kind === 'reference' ? 'invalid_input' : 'conflict')

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
