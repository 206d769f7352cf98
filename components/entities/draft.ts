import { formOf, type Parsed } from '@/components/kinds/value-forms'
import { type ExactJson, exactJsonText, plainText } from '@/lib/values/exact-json'
import type { ColumnDescription, EntityRecord } from './types'

/** The text of each field of a form, for every type; an empty text means no value. */
export type Draft = Record<string, string>

export const AUDIT_FIELDS = ['CreatedAt', 'CreatedBy', 'LastUpdatedAt', 'LastUpdatedBy']

/**
 * The fields a user fills in: declared ones, without those that the server maintains. A key that the
 * server generates comes last, as it is rarely typed.
 */
export function formColumns(columns: readonly ColumnDescription[], isNew: boolean) {
  const filled = columns.filter(
    ({ name, declared, key, rules, readOnlyFor, setFor }) =>
      declared &&
      !AUDIT_FIELDS.includes(name) &&
      rules.computed === undefined &&
      (isNew || !key) &&
      ![...(readOnlyFor ?? []), ...(setFor ?? [])].includes(isNew ? 'write' : 'update'),
  )
  return [...filled.filter((column) => !isMade(column)), ...filled.filter(isMade)]
}

/** The fields of a record that policies let this user read and not change. */
export const readOnlyColumns = (columns: readonly ColumnDescription[]): ColumnDescription[] =>
  columns.filter(
    ({ declared, key, readOnlyFor, setFor }) =>
      declared && !key && readOnlyFor?.includes('update') && !setFor?.includes('update'),
  )

/** The fields that policies give a value, whatever is sent. */
export const forcedColumns = (
  columns: readonly ColumnDescription[],
  isNew: boolean,
): ColumnDescription[] =>
  columns.filter(({ setFor }) => setFor?.includes(isNew ? 'write' : 'update'))

/** The server generates a value if none is given. */
export const isMade = ({ key, rules }: ColumnDescription) => key && !rules.required

export const draftOf = (record: EntityRecord, columns: readonly ColumnDescription[]): Draft =>
  Object.fromEntries(columns.map((column) => [column.name, toText(record[column.name], column)]))

function toText(value: ExactJson | undefined, { kind }: ColumnDescription): string {
  if (value === null || value === undefined) return ''
  return formOf(kind).toText(value)
}

/** The value that a text stands for in a field, or what is wrong with it. */
export function parseText(text: string, { kind, rules }: ColumnDescription): Parsed {
  if (text.trim() === '') return rules.required ? { error: 'Enter a value' } : { value: null }
  if (rules.enum) return { value: rules.enum.find((each) => plainText(each) === text) ?? text }
  return formOf(kind).parse(text)
}

/** The texts that differ from `before`, in which absent ones are empty; null without any. */
export function changedTexts(draft: Draft, before: Draft): Draft | null {
  const changed = Object.entries(draft).filter(([name, text]) => text !== (before[name] ?? ''))
  return changed.length > 0 ? Object.fromEntries(changed) : null
}

export type Outcome = { values: Record<string, ExactJson>; errors: Record<string, string> }

/** The values to send: of a new record those given, of an old one those changed. */
export function readDraft(
  draft: Draft,
  before: Draft | null,
  columns: readonly ColumnDescription[],
): Outcome {
  const outcome: Outcome = { values: {}, errors: {} }
  for (const column of columns) {
    const text = draft[column.name] ?? ''
    if (before ? text === before[column.name] : text === '' && mayBeAbsent(column)) continue
    const parsed = parseText(text, column)
    if ('error' in parsed) outcome.errors[column.name] = parsed.error
    else outcome.values[column.name] = parsed.value
  }
  return outcome
}

const mayBeAbsent = ({ rules }: ColumnDescription) => !rules.required || rules.default !== undefined

/** What to send so that `before` becomes `after`: the fields that differ, null for those that went. */
export function changesOf(
  before: Record<string, ExactJson>,
  after: Record<string, ExactJson>,
): Record<string, ExactJson> {
  const removed = Object.keys(before).filter((name) => !(name in after))
  const changed = Object.entries(after).filter(
    ([name, value]) => exactJsonText(value) !== exactJsonText(before[name]),
  )
  return Object.fromEntries([
    ...removed.map((name): [string, ExactJson] => [name, null]),
    ...changed,
  ])
}
