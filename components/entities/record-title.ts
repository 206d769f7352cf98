import type { ColumnDescription, EntityRecord } from './types'

const NAMING = ['name', 'title', 'label', 'email', 'subject']

/** A readable name of the record. */
export function titleOf(record: EntityRecord, columns: readonly ColumnDescription[]): string {
  const naming = NAMING.find((name) => typeof record[name] === 'string' && record[name] !== '')
  const text = columns.find(({ kind, key, rules }) => kind === 'text' && !key && !rules.reference)
  const value = record[naming ?? text?.name ?? '']
  return typeof value === 'string' && value !== '' ? value : record.persistenceId
}
