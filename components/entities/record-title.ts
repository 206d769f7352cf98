import { isAnyJsonKind, isTextKind } from '@/lib/kinds/kind'
import { fieldFor } from './display-role'
import type { ColumnDescription, EntityRecord } from './types'

/** Fields of these names name a record, in this order. */
const NAMING = ['name', 'title', 'label', 'displayname', 'fullname', 'email', 'subject']

/** Longer texts describe rather than name. */
const MAX_NAME = 255

/** The fields that may name a record, the likeliest first: the definition's, by their names, else the first short text. */
export function titleFields(columns: readonly ColumnDescription[]): string[] {
  const naming = columns
    .filter((column) => rankOf(column) >= 0)
    .sort((a, b) => rankOf(a) - rankOf(b))
  const texts = columns.filter(
    ({ kind, key, hidden, rules }) => isTextKind(kind) && !key && !hidden && !rules.reference,
  )
  const text = texts.find(isShort) ?? texts[0]
  const own = fieldFor('title', columns)
  return [...new Set([own, ...naming, text].flatMap((column) => column?.name ?? []))]
}

const rankOf = ({ name, kind, rules }: ColumnDescription) =>
  (isTextKind(kind) || isAnyJsonKind(kind)) && !rules.reference
    ? NAMING.indexOf(name.replace(/[_-]/g, '').toLowerCase())
    : -1

const isShort = ({ type, rules }: ColumnDescription) =>
  !rules.enum &&
  !/^(text|uuid|url)$/.test(rules.format ?? type) &&
  (rules.maxLength ?? rules.length ?? 0) <= MAX_NAME

/** What the record is called by one of its fields; null when they are empty. */
export function nameOf(record: EntityRecord, columns: readonly ColumnDescription[]): string | null {
  for (const field of titleFields(columns)) {
    const value = record[field]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return null
}

/** A readable name of the record. */
export const titleOf = (record: EntityRecord, columns: readonly ColumnDescription[]): string =>
  nameOf(record, columns) ?? record.persistenceId

/** `New country`: the title of the form for a new record. Abbreviations keep their capitals. */
export const newOf = (entity: string): string =>
  `New ${/^\p{Lu}\p{Ll}/u.test(entity) ? entity.charAt(0).toLowerCase() + entity.slice(1) : entity}`
