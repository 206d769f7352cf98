import { CalendarIcon } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { toIso, toLocal } from '@/components/ui/time-text'
import { plainText } from '@/lib/values/exact-json'
import { relativeTime } from '@/lib/values/relative-time'
import { isDay } from '../time-words'
import { WordedInput } from './text-input'
import { faultProps, type InputProps, localText } from './value-text'

const SUGGESTIONS = ['today', 'yesterday', '7 days ago', '30 days ago', 'in 7 days', 'in 1 month']

/** A time of day. */
export function TimeOfDayInput({ label, value, onChange, faultId }: InputProps) {
  return (
    <Input
      type="time"
      step={1}
      aria-label={label}
      value={value === undefined || value === null ? '' : plainText(value)}
      onChange={({ target }) => onChange(target.value)}
      {...faultProps(faultId)}
    />
  )
}

/** A date or an instant, typed as a date or in words, or chosen from a calendar. */
export function MomentInput(props: InputProps) {
  const { field, label, value, onChange } = props
  const text = value === undefined || value === null ? '' : plainText(value)
  const isWholeDay = isDay(field.kind)
  const suggestions = isWholeDay ? SUGGESTIONS : ['now', ...SUGGESTIONS]
  const meant = text.startsWith('$') ? relativeTime(text) : null
  return (
    <div className="grid gap-1">
      <div className="flex gap-1.5">
        <WordedInput {...props} suggestions={suggestions} placeholder="7 days ago" />
        <Calendar field={field} label={label} value={value} onChange={onChange} />
      </div>
      {meant && (
        <p className="tabular text-xs text-muted-foreground">
          Now: {isWholeDay ? meant.slice(0, 10) : localText(meant)}
        </p>
      )}
    </div>
  )
}

/** The browser's own calendar, behind a button. */
function Calendar({ field, label, value, onChange }: InputProps) {
  const control = useRef<HTMLInputElement>(null)
  const isInstant = !isDay(field.kind)
  const text = String(value ?? '')
  return (
    <span className="relative">
      <Button
        size="icon"
        aria-label={`${label}: choose from a calendar`}
        onClick={() => control.current?.showPicker()}
      >
        <CalendarIcon aria-hidden />
      </Button>
      <input
        ref={control}
        type={isInstant ? 'datetime-local' : 'date'}
        tabIndex={-1}
        aria-hidden
        className="pointer-events-none absolute inset-0 opacity-0"
        value={isInstant ? toLocal(text).slice(0, 16) : /^\d{4}-\d\d-\d\d$/.test(text) ? text : ''}
        onChange={({ target }) => onChange(isInstant ? toIso(target.value) : target.value)}
      />
    </span>
  )
}
