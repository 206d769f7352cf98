'use client'
import { Trash2Icon } from 'lucide-react'
import { useId, useState } from 'react'
import { IconButton } from '@/components/ui/button'
import type { FieldCondition } from './condition'
import { type Fault, faultOf } from './condition-faults'
import { FaultLine, OperatorSelect, PathInput } from './condition-parts'
import { type FilterField, isInTime } from './field'
import { FieldSelect } from './field-select'
import { findField, hasInside } from './find-field'
import { chooseOperator, initialCondition } from './initial-condition'
import { spanCondition, spanOf } from './span'
import { useKnownFields } from './use-known-fields'
import { ValueInput } from './value-input'
import { SpanInput } from './values/span-input'

type Props = {
  fields: readonly FilterField[]
  condition: FieldCondition
  /** Known before anything was typed. */
  fault?: Fault
  /** Faults are told at once, not only once the condition is left. */
  isChecked: boolean
  onChange: (condition: FieldCondition) => void
  onRemove: () => void
}

/** One condition: field, path inside of it, operator, value, and what is wrong with them. */
export function ConditionRow({ fields: own, condition, onChange, onRemove, ...told }: Props) {
  const [wasLeft, setWasLeft] = useState(false)
  const faultId = useId()
  const fields = useKnownFields(own, [condition])
  const found = findField(fields, condition.field)
  const field: FilterField =
    found?.path === '' ? found.field : { name: condition.field, kind: found?.kind ?? 'text' }
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
      <div className="grid min-w-0 gap-1.5">
        <FieldSelect
          fields={fields}
          name={found && !found.isBeyond ? found.field.name : condition.field}
          onChange={(chosen) => onChange(initialCondition(chosen))}
        />
        {found && hasInside(found.field) && (
          <PathInput base={found.field} path={found.path} {...{ condition, onChange }} />
        )}
      </div>
      <OperatorSelect
        field={field}
        operator={span?.way ?? condition.operator}
        onChange={(operator) => onChange(chooseOperator(condition, field, operator))}
      />
      <div data-value className="order-last col-span-full min-w-0 sm:order-none sm:col-span-1">
        {span ? (
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
