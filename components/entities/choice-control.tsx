import { formatValue } from '@/components/data-table/format-value'
import { formOf } from '@/components/kinds/value-forms'
import { Select } from '@/components/ui/select'
import { type ExactJson, plainText } from '@/lib/values/exact-json'
import type { ColumnDescription } from './types'

type Props = {
  column: ColumnDescription
  choices: readonly string[]
  value: string
  onChange: (value: string) => void
  startsOpen?: boolean
}

/** The texts of all values that a field may have; null when they are not few and known. */
export function choicesOf({ kind, rules }: ColumnDescription): string[] | null {
  if (rules.reference) return null
  const values: readonly ExactJson[] | undefined = formOf(kind).choices ?? rules.enum
  return values?.map(plainText) ?? null
}

/** One of the known values of a field, or none where it is not required. */
export function ChoiceControl({ column, choices, value, onChange, startsOpen }: Props) {
  const none = column.rules.required ? [] : [{ value: NONE, label: 'No value' }]
  return (
    <Select
      startsOpen={startsOpen}
      value={value === '' ? (column.rules.required ? null : NONE) : value}
      onValueChange={(next) => onChange(next === NONE ? '' : next)}
      options={[
        ...none,
        ...choices.map((choice) => ({ value: choice, label: formatValue(choice, column) })),
      ]}
    />
  )
}

/** No enum is likely to contain this value. */
const NONE = '\u0000'
