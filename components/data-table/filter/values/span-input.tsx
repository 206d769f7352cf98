'use client'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import type { Span } from '../span'
import { DISTANCE_UNITS } from '../time-words'

type Props = { span: Span; onChange: (span: Span) => void }

/** How many days, weeks, … before or after now. */
export function SpanInput({ span, onChange }: Props) {
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
