'use client'
import { FormField } from '@/components/ui/form-field'
import { Select } from '@/components/ui/select'
import type { ColumnDescription } from '../types'
import { fieldOption } from './field-option'
import { OperandControl } from './operand-control'
import { OPERATIONS } from './operations'
import type { EditInput } from './use-edit-input'

type Props = {
  input: EditInput
  columns: readonly ColumnDescription[]
  /** What the server finds wrong with the value. */
  fault: string | null
}

/** Field, operation and value, one below the other where there is no room. */
export function EditFields({ input, columns, fault }: Props) {
  const { column, fields, operations } = input
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2">
      <FormField label="Field" required>
        <Select
          placeholder="Choose a field"
          startsOpen
          value={column?.name ?? null}
          onValueChange={input.chooseField}
          options={fields.map(fieldOption)}
        />
      </FormField>
      {column && (
        <>
          <FormField label="Change">
            <Select
              value={input.operation}
              onValueChange={input.chooseOperation}
              options={operations.map((value) => ({ value, label: OPERATIONS[value] }))}
            />
          </FormField>
          <div className="sm:col-span-2">
            <OperandControl
              key={`${column.name} ${input.operation}`}
              input={input}
              column={column}
              columns={columns}
              error={input.error ?? fault ?? undefined}
            />
          </div>
        </>
      )}
    </div>
  )
}
