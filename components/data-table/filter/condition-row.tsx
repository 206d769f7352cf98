import { CircleAlertIcon, Trash2Icon } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button, IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { findQuantifier } from '@/lib/definitions/operators'
import type { FieldCondition } from './condition'
import { type Fault, faultOf } from './condition-faults'
import { type FilterField, isInTime } from './field'
import { FieldSelect } from './field-select'
import { findField, offersPath } from './find-field'
import { changedField, chooseOperator, initialCondition } from './initial-condition'
import { operatorsFor } from './operators'
import { testedName } from './relation'
import { type Span, spanCondition, spanOf } from './span'
import { DISTANCE_UNITS } from './time-words'
import { useKnownFields } from './use-known-fields'
import { ValueInput } from './value-input'

type Props = {
  fields: readonly FilterField[]
  condition: FieldCondition
  /** Known before anything was typed. */
  fault?: Fault
  /** Faults are told at once, not only once the condition is left. */
  isChecked: boolean
  onChange: (condition: FieldCondition) => void
  onRemove: () => void
  /** Edits the conditions of other records that the condition has. */
  children?: ReactNode
}

/** One condition: field, path inside of it, operator, value, and what is wrong with them. */
export function ConditionRow({
  fields: own,
  condition,
  onChange,
  onRemove,
  children,
  ...told
}: Props) {
  const [wasLeft, setWasLeft] = useState(false)
  const faultId = useId()
  const fields = useKnownFields(own, [condition])
  const name = testedName(condition)
  const found = findField(fields, name)
  const field: FilterField =
    found?.path === '' ? found.field : { name, kind: found?.kind ?? 'text' }
  const isQuantified = findQuantifier(condition.operator) !== null
  const isSeen = wasLeft || told.isChecked || told.fault !== undefined
  const fault = told.fault ?? (isSeen ? faultOf(condition, fields) : null)
  const span = isInTime(field.kind) ? spanOf(condition) : null
  return (
    <fieldset
      data-condition={fault ? 'wrong' : ''}
      aria-describedby={fault ? faultId : undefined}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setWasLeft(true)
      }}
      className="grid grid-cols-[1fr_1fr_auto] items-start gap-1.5 sm:grid-cols-[9.5rem_9rem_minmax(10rem,1fr)_auto]"
    >
      <legend className="sr-only">Condition</legend>
      <div className={cn('grid min-w-0 gap-1.5', isQuantified && 'col-span-2 sm:col-span-3')}>
        <FieldSelect
          fields={fields}
          name={found && !found.isBeyond ? found.field.name : name}
          onChange={(chosen) => onChange(changedField(condition, chosen))}
        />
        {found && offersPath(found) && (
          <PathInput base={found.field} path={found.path} {...{ condition, onChange }} />
        )}
      </div>
      {isQuantified || (
        <OperatorSelect
          field={field}
          operator={span?.way ?? condition.operator}
          onChange={(operator) => onChange(chooseOperator(condition, field, operator))}
        />
      )}
      <div
        data-value
        className={cn(
          'order-last col-span-full min-w-0',
          !isQuantified && 'sm:order-none sm:col-span-1',
        )}
      >
        {isQuantified ? (
          children
        ) : span ? (
          <SpanInput
            span={span}
            onChange={(next) => onChange(spanCondition(condition.field, field.kind, next))}
          />
        ) : (
          <ValueInput
            field={field}
            operator={condition.operator}
            value={condition.value}
            faultId={fault ? faultId : undefined}
            onChange={(value) => onChange({ ...condition, value })}
          />
        )}
      </div>
      <IconButton icon={Trash2Icon} size="icon" label="Remove the condition" onClick={onRemove} />
      {fault && <FaultLine id={faultId} fault={fault} onMeant={onChange} />}
    </fieldset>
  )
}

type PartProps = { condition: FieldCondition; onChange: (condition: FieldCondition) => void }
type OperatorProps = { field: FilterField; operator: string; onChange: (operator: string) => void }

function OperatorSelect({ field, operator, onChange }: OperatorProps) {
  const options = operatorsFor(field).map((choice) => ({
    value: choice.operator,
    label: choice.label,
  }))
  const value = options.find((choice) => choice.value === operator.toLowerCase())?.value
  return (
    <Select
      aria-label="Operator"
      value={value ?? operator}
      onValueChange={onChange}
      options={value ? options : [...options, { value: operator, label: operator }]}
    />
  )
}

/** Where in an object or a list the compared value is: `address.city`, `0.price`; empty: the whole. */
function PathInput({
  base,
  path,
  condition,
  onChange,
}: PartProps & { base: FilterField; path: string }) {
  return (
    <Input
      aria-label={`Path inside ${base.label ?? base.name}`}
      placeholder="path.inside"
      autoComplete="off"
      className="font-mono text-xs"
      value={path}
      onChange={({ target }) => {
        const next = target.value.replace(/\s/g, '')
        if (next === '') return onChange(initialCondition(base))
        const inside = { ...condition, field: `${base.name}.${next}` }
        onChange(path === '' ? { ...inside, operator: 'eq', value: '' } : inside)
      }}
    />
  )
}

type FaultProps = { id: string; fault: Fault; onMeant: (condition: FieldCondition) => void }

function FaultLine({ id, fault: { reason, meant }, onMeant }: FaultProps) {
  return (
    <p
      id={id}
      className="order-last col-span-full flex flex-wrap items-center gap-1.5 text-xs text-destructive"
    >
      <CircleAlertIcon aria-hidden className="size-3.5 shrink-0" />
      {reason}
      {meant && (
        <Button size="sm" className="h-6 text-xs" onClick={() => onMeant(meant.condition)}>
          Use “{meant.name}”
        </Button>
      )}
    </p>
  )
}

type SpanInputProps = { span: Span; onChange: (span: Span) => void }

/** How many days, weeks, … before or after now. */
function SpanInput({ span, onChange }: SpanInputProps) {
  return (
    <div className="flex gap-1.5">
      <Input
        type="number"
        min={1}
        max={999_999}
        aria-label="Value"
        className="w-20"
        value={span.count}
        onChange={({ target }) => onChange({ ...span, count: clamped(target.valueAsNumber) })}
      />
      <Select
        aria-label="Unit"
        options={DISTANCE_UNITS}
        value={span.unit === 's' ? 'm' : span.unit}
        onValueChange={(unit) => onChange({ ...span, unit })}
      />
    </div>
  )
}

const clamped = (count: number) => Math.min(999_999, Math.max(1, Math.floor(count) || 1))
