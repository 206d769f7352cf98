import { useId } from 'react'
import { Input } from '@/components/ui/input'
import { NativeSelect } from '@/components/ui/native-select'
import { toIso, toLocal } from '@/components/ui/time-text'
import { DELIVERY_LOOKS } from './webhook-words'

/** What of the log is shown; an empty text is no condition, and `key` needs `entity`. */
export type DeliveryFilter = {
  status: string
  entity: string
  key: string
  from: string
  to: string
}

export const NO_FILTER: DeliveryFilter = { status: '', entity: '', key: '', from: '', to: '' }

const STATUSES = [
  { value: '', label: 'All deliveries' },
  ...Object.entries(DELIVERY_LOOKS).map(([value, { word }]) => ({ value, label: word })),
]

type Props = {
  entities: readonly string[]
  value: DeliveryFilter
  onChange: (value: DeliveryFilter) => void
}

/** Finds deliveries by status, record and time. */
export function DeliveryFilterBar({ entities, value, onChange }: Props) {
  const set = (part: Partial<DeliveryFilter>) => onChange({ ...value, ...part })
  return (
    <search
      aria-label="Find deliveries"
      className="flex flex-wrap items-center gap-2 border-b px-4 py-2"
    >
      <NativeSelect
        aria-label="Status"
        options={STATUSES}
        value={value.status}
        onValueChange={(status) => set({ status })}
      />
      <NativeSelect
        aria-label="Entity"
        options={[
          { value: '', label: 'All entities' },
          ...entities.map((name) => ({ value: name, label: name })),
        ]}
        value={value.entity}
        onValueChange={(entity) => set({ entity, key: '' })}
      />
      {value.entity !== '' && (
        <Input
          aria-label="Key of the record"
          placeholder="Key of the record"
          className="h-7 w-40 text-[13px]"
          value={value.key}
          onValueChange={(key) => set({ key })}
        />
      )}
      <TimeInput label="From" value={value.from} onChange={(from) => set({ from })} />
      <TimeInput label="Until" value={value.to} onChange={(to) => set({ to })} />
    </search>
  )
}

type TimeProps = { label: string; value: string; onChange: (value: string) => void }

/** An instant, in the reader's time zone; an empty text where none is chosen. */
const TimeInput = ({ label, value, onChange }: TimeProps) => {
  const id = useId()
  return (
    <span className="flex items-center gap-1.5">
      <label htmlFor={id} className="text-[13px] text-muted-foreground">
        {label}
      </label>
      <Input
        id={id}
        type="datetime-local"
        className="h-7 w-auto text-[13px]"
        value={toLocal(value).slice(0, 16)}
        onValueChange={(local) => onChange(toIso(local))}
      />
    </span>
  )
}
