'use client'
import { fieldLabel } from '@/components/data-table/field-label'
import { FormField } from '@/components/ui/form-field'
import { ChoiceControl, choicesOf } from '../choice-control'
import { FieldControl } from '../field-control'
import type { ColumnDescription } from '../types'
import type { useCellInput } from './use-cell-input'

type Props = {
  column: ColumnDescription
  input: ReturnType<typeof useCellInput>
  error: string | undefined
  onChosen: (value: string) => void
}

/** One of few values is saved as soon as it is chosen. */
export function CellControl({ column, input, error, onChosen }: Props) {
  const choices = choicesOf(column)
  if (!choices) {
    return (
      <FieldControl
        {...{ column, error }}
        value={input.text}
        onChange={(text) => input.change({ [column.name]: text })}
        texts={input.all}
        onOthers={input.change}
      />
    )
  }
  return (
    <FormField label={fieldLabel(column)} error={error}>
      <ChoiceControl startsOpen {...{ column, choices }} value={input.text} onChange={onChosen} />
    </FormField>
  )
}
