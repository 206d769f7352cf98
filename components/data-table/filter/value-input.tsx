'use client'
import type { ReactNode } from 'react'
import type { ConsoleKind } from '@/components/kinds/console-kind'
import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import type { FilterField } from './field'
import { arityOf } from './operators'
import { asPair } from './values/adapt-value'
import { ChoiceInput } from './values/choice-input'
import type { InputProps } from './values/input-props'
import { ListInput } from './values/list-input'
import { isChosenByName, ReferenceControl, ReferenceListControl } from './values/reference-control'
import { TextInput } from './values/text-input'
import { MomentInput, TimeOfDayInput } from './values/time-input'

type Props = {
  field: FilterField
  operator: string
  value: unknown
  onChange: (value: unknown) => void
  /** As of `InputProps`. */
  faultId?: string
}

/** The control or controls of what an operator compares a field with. */
export function ValueInput({ operator, ...props }: Props) {
  switch (arityOf(operator)) {
    case 'none':
      return null
    case 'list':
      if (isChosenByName(props.field)) return <ReferenceListControl {...props} label="Values" />
      return <ListInput {...props} label="Values" />
    case 'two':
      return <RangeInput {...props} />
    default:
      return <OneValue {...props} label="Value" />
  }
}

function RangeInput({ value, onChange, ...props }: Omit<Props, 'operator'>) {
  const [from, to] = asPair(value)
  return (
    <div className="flex flex-wrap items-baseline gap-1.5 *:min-w-0 [&>:not(span)]:flex-1 [&>:not(span)]:basis-32">
      <OneValue {...props} label="From" value={from} onChange={(next) => onChange([next, to])} />
      <span className="text-xs text-muted-foreground">and</span>
      <OneValue {...props} label="To" value={to} onChange={(next) => onChange([from, next])} />
    </div>
  )
}

/** The one place that decides which control a field gets; each stands in a file of its own. */
function OneValue(props: InputProps) {
  const { field } = props
  const { choices, filterInput } = CONSOLE_KINDS[field.kind]
  if (choices || field.enum) return <ChoiceInput {...props} />
  if (isChosenByName(field)) return <ReferenceControl {...props} />
  const Control = CONTROLS[filterInput]
  return <Control {...props} />
}

const CONTROLS: Record<ConsoleKind['filterInput'], (props: InputProps) => ReactNode> = {
  choice: ChoiceInput,
  moment: MomentInput,
  'time of day': TimeOfDayInput,
  text: TextInput,
}
