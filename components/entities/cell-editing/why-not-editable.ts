import { fieldLabel } from '@/components/data-table/field-label'
import { AUDIT_FIELDS } from '../draft'
import type { ColumnDescription } from '../types'

/** Why a field can't be edited in its cell; null when it can. */
export function whyNotEditable(column: ColumnDescription, mayUpdate: boolean): string | null {
  const { name, key, declared, rules } = column
  const label = fieldLabel(column)
  if (!mayUpdate) return 'You don’t have the right to change these records'
  if (key) return `${label} is the key: it can’t be changed`
  if (rules.computed !== undefined) return `${label} is computed from other fields`
  if (AUDIT_FIELDS.includes(name)) return `${label} is set by the server`
  if (!declared) return `${label} is not declared: press e to edit it in the record’s JSON`
  return null
}
