'use client'
import { Trash2Icon } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
import type { FieldCondition } from './condition'
import type { FilterField } from './field'
import { arityOf, operatorsFor } from './operators'
import { ValueInput } from './value-input'
import { adaptValue } from './values/adapt-value'

type Props = {
  fields: readonly FilterField[]
  condition: FieldCondition
  onChange: (condition: FieldCondition) => void
  onRemove: () => void
}

/** One condition: field, operator, value. */
export function ConditionRow({ fields, condition, onChange, onRemove }: Props) {
  const field = fieldOf(fields, condition)
  const operators = operatorsFor(field.kind, Boolean(field.enum))
  const known = operators.some(({ operator }) => operator === condition.operator)
  const setField = (name: string) => onChange(initialCondition(fields, name))
  const setOperator = (operator: string) =>
    onChange({ ...condition, operator, value: adaptValue(condition.value, arityOf(operator)) })
  return (
    <fieldset className="grid grid-cols-[1fr_1fr_auto] gap-1.5 sm:grid-cols-[9.5rem_9rem_minmax(10rem,1fr)_auto]">
      <legend className="sr-only">Condition</legend>
      <Select
        aria-label="Field"
        value={condition.field || null}
        onValueChange={setField}
        options={fields.map(({ name, label }) => ({ value: name, label: label ?? name }))}
      />
      <Select
        aria-label="Operator"
        value={condition.operator}
        onValueChange={setOperator}
        options={[
          ...operators.map(({ operator, label }) => ({ value: operator, label })),
          ...(known ? [] : [{ value: condition.operator, label: condition.operator }]),
        ]}
      />
      <div className="order-last col-span-full min-w-0 sm:order-none sm:col-span-1">
        <ValueInput
          field={field}
          operator={condition.operator}
          value={condition.value}
          onChange={(value) => onChange({ ...condition, value })}
        />
      </div>
      <Button variant="ghost" size="icon" aria-label="Remove the condition" onClick={onRemove}>
        <Trash2Icon aria-hidden />
      </Button>
    </fieldset>
  )
}

const fieldOf = (fields: readonly FilterField[], { field }: FieldCondition): FilterField =>
  fields.find(({ name }) => name === field) ?? { name: field, kind: 'text' }

/** A condition on a field (the first one when not said which) with the operator one likely wants. */
export function initialCondition(fields: readonly FilterField[], name?: string): FieldCondition {
  const field = fields.find((each) => each.name === name) ?? fields[0]
  if (!field) return { field: name ?? '', operator: 'eq', value: '' }
  const operator = operatorsFor(field.kind, Boolean(field.enum))[0]?.operator ?? 'eq'
  const value = field.kind === 'boolean' ? true : adaptValue(undefined, arityOf(operator))
  return { field: field.name, operator, value: value ?? field.enum?.[0] ?? '' }
}
