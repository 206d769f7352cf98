'use client'
import { Checkbox } from '@/components/ui/checkbox'
import { Input } from '@/components/ui/input'
import { NativeSelect } from '@/components/ui/native-select'
import type { DraftProperty } from './draft-definition'

type Props = {
  property: DraftProperty
  samples: readonly string[]
  isKey: boolean
  onChange: (part: Partial<DraftProperty>) => void
}

const TYPES = [
  ...['string', 'text', 'integer', 'bigint', 'decimal', 'number', 'boolean', 'date', 'datetime'],
  ...['time', 'email', 'url', 'phone', 'uuid', 'json', 'object', 'array'],
]
const LEFT_OUT = ''
const OPTIONS = [
  ...TYPES.map((type) => ({ value: type, label: type })),
  { value: LEFT_OUT, label: 'Leave out' },
]

/** A column of the file and the property that it becomes. */
export function PropertyRow({ property, samples, isKey, onChange }: Props) {
  const { column, name, type, required, maxLength } = property
  const isOut = type === null
  return (
    <li className="grid items-center gap-x-3 gap-y-1.5 px-3 py-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_8rem_auto]">
      <div className="min-w-0">
        <p className="truncate text-[13px] font-medium">{column}</p>
        <p className="truncate font-mono text-xs text-muted-foreground">
          {samples.length > 0 ? samples.join(' · ') : 'no values'}
        </p>
      </div>
      <Input
        aria-label={`Name of the property of ${column}`}
        value={name}
        disabled={isOut}
        autoComplete="off"
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <NativeSelect
        aria-label={`Type of ${column}`}
        className="w-full"
        value={type ?? LEFT_OUT}
        options={OPTIONS}
        onValueChange={(value) => onChange({ type: value || null })}
      />
      <span className="flex items-center gap-3 text-xs text-muted-foreground sm:w-40">
        <span className="flex items-center gap-1.5">
          <Checkbox
            checked={isKey || required}
            disabled={isKey || isOut}
            aria-label={isKey ? `${column} is the key` : `${column} is required`}
            onCheckedChange={(checked) => onChange({ required: checked })}
          />
          {isKey ? 'Key' : 'Required'}
        </span>
        {type === 'string' && maxLength !== undefined && <span>up to {maxLength}</span>}
      </span>
    </li>
  )
}
