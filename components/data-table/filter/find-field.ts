import { isJsonKind, isPlaceKind, type Kind } from '@/lib/kinds/kind'
import type { FilterField } from './field'

/** A name in a condition: its field, what follows inside of it, and the kind of what is compared. */
export type FoundField = {
  field: FilterField
  /** `address.city` of `profile.address.city`; empty for the field itself. */
  path: string
  kind: Kind
  /** It leads into another entity, whose fields only the server knows. */
  isBeyond?: boolean
}

/** A condition may look inside of its values. */
const hasInside = ({ kind }: FilterField): boolean => isJsonKind(kind)

/**
 * Looks a name up as the server does: the field of that name, else the longest name before a dot that holds JSON or is
 * a reference or a relation. Null for an unknown one.
 */
export function findField(fields: readonly FilterField[], name: string): FoundField | null {
  const whole = fields.find((field) => field.name === name)
  if (whole) return { field: whole, path: '', kind: whole.kind }
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const field = fields.find((each) => each.name === name.slice(0, dot))
    const path = name.slice(dot + 1)
    if (field && hasInside(field)) return { field, path, kind: 'json' }
    if (field?.reference || field?.relation) return { field, path, kind: 'text', isBeyond: true }
  }
  return null
}

/** It is about records that refer to one, none of whose fields is named. */
export const isOfRelated = ({ field, path, isBeyond }: FoundField): boolean =>
  field.related !== undefined && path === '' && !isBeyond

/** It is worth to ask where inside: locations have conditions of their own. */
export const offersPath = ({ field, path }: FoundField): boolean =>
  hasInside(field) && (path !== '' || !isPlaceKind(field.kind))

/** The field that somebody means by a name or a label, however capitalised; null for none. */
export function meantField(fields: readonly FilterField[], written: string): string | null {
  if (findField(fields, written)) return written
  const small = written.toLowerCase()
  const found =
    fields.find(({ name }) => name.toLowerCase() === small) ??
    fields.find(({ label }) => label?.toLowerCase() === small)
  return found?.name ?? null
}
