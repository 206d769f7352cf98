import { Input } from '@/components/ui/input'
import { PLACE_FORMS, type PlaceOperator } from '@/lib/definitions/place-operators'
import { plainText } from '@/lib/values/exact-json'
import { asNumbers } from './value-text'

type Props = {
  operator: PlaceOperator
  value: unknown
  onChange: (value: unknown) => void
  faultId?: string
}

/** The numbers that say where, each with its name. */
export function PlaceInput({ operator, value, onChange, faultId }: Props) {
  const { parts } = PLACE_FORMS[operator]
  const numbers = asNumbers(value, parts.length)
  return (
    <div className="grid grid-cols-2 gap-1.5">
      {parts.map(({ label }, at) => (
        <Input
          key={label}
          aria-label={label}
          placeholder={label}
          inputMode="decimal"
          autoComplete="off"
          value={plainText(numbers[at] ?? '')}
          onChange={({ target }) => onChange(numbers.with(at, target.value))}
          aria-invalid={faultId !== undefined}
          aria-describedby={faultId}
        />
      ))}
    </div>
  )
}
