'use client'
import { CircleAlertIcon, XIcon } from 'lucide-react'
import { useId } from 'react'
import { IconButton } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { NativeSelect } from '@/components/ui/native-select'
import { Textarea } from '@/components/ui/textarea'
import { type Pair, type PairKind, withKind } from './json-pairs'

type Props = {
  pair: Pair
  place: number
  fault: string | null
  onChange: (pair: Pair) => void
  onRemove: () => void
}

const KINDS: readonly { value: PairKind; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Yes or no' },
  { value: 'null', label: 'No value' },
  { value: 'json', label: 'JSON' },
]

const CHOICES = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** A key with the type of its value and the value; what is wrong with them stands below. */
export function PairRow({ pair, place, fault, onChange, onRemove }: Props) {
  const faultId = useId()
  const name = pair.key || `key ${place}`
  const stated = { 'aria-describedby': fault ? faultId : undefined, autoComplete: 'off' }
  return (
    <div data-row className="grid gap-1">
      <div className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-start gap-1.5 sm:grid-cols-[minmax(6rem,10rem)_auto_minmax(0,1fr)_auto]">
        <Input
          {...stated}
          aria-label={`Key ${place}`}
          aria-invalid={fault?.includes('key') || undefined}
          placeholder="Key"
          className="font-mono text-[13px]"
          value={pair.key}
          onValueChange={(key) => onChange({ ...pair, key })}
        />
        <NativeSelect
          aria-label={`Type of ${name}`}
          className="[&>select]:h-8"
          options={KINDS}
          value={pair.kind}
          onValueChange={(kind) => onChange(withKind(pair, kind as PairKind))}
        />
        <div className="order-last col-span-full min-w-0 sm:order-none sm:col-span-1">
          <PairValue pair={pair} name={name} stated={stated} onChange={onChange} />
        </div>
        <IconButton icon={XIcon} size="icon" label={`Remove ${name}`} onClick={onRemove} />
      </div>
      {fault && (
        <p id={faultId} className="flex items-start gap-1.5 text-xs text-destructive">
          <CircleAlertIcon aria-hidden className="mt-px size-3.5 shrink-0" />
          {fault}
        </p>
      )}
    </div>
  )
}

type ValueProps = {
  pair: Pair
  name: string
  stated: { 'aria-describedby'?: string; autoComplete: string }
  onChange: (pair: Pair) => void
}

function PairValue({ pair, name, stated, onChange }: ValueProps) {
  const { kind, text } = pair
  const common = { ...stated, 'aria-label': `Value of ${name}`, value: text }
  if (kind === 'null') return <p className="py-1.5 text-[13px] text-muted-foreground">—</p>
  if (kind === 'boolean') {
    return (
      <NativeSelect
        aria-label={common['aria-label']}
        className="[&>select]:h-8"
        options={CHOICES}
        value={text}
        onValueChange={(next) => onChange({ ...pair, text: next })}
      />
    )
  }
  if (kind === 'json' || text.includes('\n')) {
    return (
      <Textarea
        {...common}
        code={kind === 'json'}
        rows={Math.min(6, text.split('\n').length + 1)}
        onChange={(event) => onChange({ ...pair, text: event.target.value })}
      />
    )
  }
  return (
    <Input
      {...common}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      placeholder="Value"
      className={kind === 'number' ? 'tabular' : undefined}
      onValueChange={(next) => onChange({ ...pair, text: next })}
    />
  )
}
