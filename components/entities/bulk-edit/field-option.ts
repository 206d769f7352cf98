import { fieldLabel } from '@/components/data-table/field-label'
import type { ColumnDescription } from '../types'

/** A field in a list of choices, with its technical name where the label says something else. */
export function fieldOption(column: ColumnDescription) {
  const { name } = column
  const label = fieldLabel(column)
  const isSame = label.toLowerCase() === name.toLowerCase()
  return { value: name, label, hint: isSame ? undefined : name }
}
