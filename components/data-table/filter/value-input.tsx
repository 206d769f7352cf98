import { type ReactNode, use } from 'react'
import { type Form, formOf } from '@/components/kinds/value-forms'
import { useViewer } from '@/components/shell/viewer'
import { Select } from '@/components/ui/select'
import { TagInput } from '@/components/ui/tag-input'
import type { PlaceOperator } from '@/lib/definitions/place-operators'
import { plainText } from '@/lib/values/exact-json'
import { formatValue } from '../format-value'
import type { FilterField } from './field'
import { arityOf } from './operators'
import { ActorValues } from './values/actor-values'
import { PlaceInput } from './values/place-input'
import { isChosenByName, ReferenceControl, ReferenceListControl } from './values/reference-control'
import { TextInput } from './values/text-input'
import { MomentInput, TimeOfDayInput } from './values/time-input'
import { asList, asPair, type InputProps, meantValue, textOf } from './values/value-text'

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
    case 'place':
      return <PlaceInput operator={operator as PlaceOperator} {...props} />
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
  const ActorValue = use(ActorValues)
  if (!ActorValue) return <PlainValue {...props} />
  return <ActorValue {...props} Plain={PlainValue} />
}

function PlainValue(props: InputProps) {
  const { field } = props
  const { choices, filterInput } = formOf(field.kind)
  if (choices || field.enum) return <ChoiceInput {...props} />
  if (isChosenByName(field)) return <ReferenceControl {...props} />
  const Control = CONTROLS[filterInput]
  return <Control {...props} />
}

const CONTROLS: Record<Form['filterInput'], (props: InputProps) => ReactNode> = {
  choice: ChoiceInput,
  moment: MomentInput,
  'time of day': TimeOfDayInput,
  text: TextInput,
}

/** One of the few values that a field may have: those of an enum, true and false. */
function ChoiceInput({ field, label, value, onChange }: InputProps) {
  const options = formOf(field.kind).choices ?? field.enum ?? []
  const found = options.findIndex((option) => plainText(option) === plainText(value))
  return (
    <Select
      aria-label={label}
      value={found < 0 ? null : String(found)}
      onValueChange={(index) => onChange(options[Number(index)])}
      options={options.map((option, index) => ({
        value: String(index),
        label: field.words?.(plainText(option)) ?? formatValue(option, field),
      }))}
    />
  )
}

/** Several values of which one is to be met. Enter in an empty control applies the filter. */
function ListInput({ field, label, value, onChange, faultId }: InputProps) {
  const { email } = useViewer()
  return (
    <div
      onKeyDownCapture={({ key, target }) => {
        if (key !== 'Enter' || !(target instanceof HTMLInputElement) || target.value) return
        target.form?.requestSubmit()
      }}
    >
      <TagInput
        aria-label={label}
        aria-describedby={faultId}
        invalid={faultId !== undefined}
        placeholder="Value, then Enter"
        suggestions={field.user ? ['me'] : field.enum?.map(plainText)}
        value={asList(value).map((each) => textOf(each, field))}
        onValueChange={(texts) => onChange(texts.map((text) => meantValue(text, field, email)))}
      />
    </div>
  )
}
