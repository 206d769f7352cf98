import { fieldLabel } from '@/components/data-table/field-label'
import { formatValue } from '@/components/data-table/format-value'
import { formOf } from '@/components/kinds/value-forms'
import { FormField } from '@/components/ui/form-field'
import { Input } from '@/components/ui/input'
import { Segmented } from '@/components/ui/segmented'
import { Select } from '@/components/ui/select'
import { type ExactJson, plainText } from '@/lib/values/exact-json'
import { FieldControl } from '../field-control'
import { NestedField } from '../nested/nested-field'
import type { ColumnDescription } from '../types'
import { OPERATIONS, operandOf, sourcesOf } from './operations'
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

type OperandControlProps = {
  input: EditInput
  column: ColumnDescription
  columns: readonly ColumnDescription[]
  error: string | undefined
}

/** What the chosen operation needs: the field's own control for a value. */
function OperandControl({ input, column, columns, error }: OperandControlProps) {
  const operand = operandOf(input.operation, column)
  const value = input.texts[column.name] ?? ''
  const onChange = (text: string) => input.setTexts({ [column.name]: text })
  const control = { value, onChange, error }
  if (operand === 'value') return <ValueControl {...control} column={column} input={input} />
  if (operand === 'list') {
    const said = { label: 'Values', title: column.name, required: true }
    return <NestedField kind="array" {...said} {...control} />
  }
  if (operand === 'field') return <SourceSelect {...control} column={column} columns={columns} />
  if (operand === null) return null
  return (
    <FormField label={operand === 'number' ? 'Number' : 'Text'} error={error} required>
      <Input
        inputMode={operand === 'number' ? 'decimal' : undefined}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </FormField>
  )
}

type Control = { value: string; onChange: (text: string) => void; error: string | undefined }

function ValueControl({
  column,
  input,
  ...control
}: Control & { column: ColumnDescription; input: EditInput }) {
  const choices = fewChoices(column)
  if (choices) {
    return (
      <div className="grid content-start gap-1.5">
        <span aria-hidden className="text-[13px] font-medium">
          {VALUE}
        </span>
        <Segmented
          aria-label={VALUE}
          className="h-8 items-center justify-self-start"
          value={control.value || null}
          onValueChange={control.onChange}
          options={choices.map((value) => ({ value, label: formatValue(value, column) }))}
        />
      </div>
    )
  }
  // That a value can be missing is an operation of its own here.
  const rules = { ...column.rules, required: true, default: undefined }
  return (
    <FieldControl
      {...control}
      column={{ ...column, label: VALUE, rules }}
      texts={input.texts}
      onOthers={input.setTexts}
    />
  )
}

const VALUE = 'New value'
const FEW_CHOICES = 5
const FEW_CHARACTERS = 40

/** Values that are few and short enough to stand side by side. */
function fewChoices({ kind, rules }: ColumnDescription): string[] | null {
  if (rules.reference) return null
  const values: readonly ExactJson[] = formOf(kind).choices ?? rules.enum ?? []
  const texts = values.map(plainText)
  const isShort = texts.length <= FEW_CHOICES && texts.join('').length <= FEW_CHARACTERS
  return texts.length > 0 && isShort && !texts.includes('') ? texts : null
}

type SourceProps = Control & Pick<OperandControlProps, 'column' | 'columns'>

const SourceSelect = ({ column, columns, value, onChange, error }: SourceProps) => (
  <FormField label="From" error={error} required>
    <Select
      value={value || null}
      onValueChange={onChange}
      options={sourcesOf(column, columns).map(fieldOption)}
    />
  </FormField>
)

/** A field in a list of choices, with its technical name where the label says something else. */
function fieldOption(column: ColumnDescription) {
  const { name } = column
  const label = fieldLabel(column)
  const isSame = label.toLowerCase() === name.toLowerCase()
  return { value: name, label, hint: isSame ? undefined : name }
}
