import { CircleAlertIcon, PlusIcon, XIcon } from 'lucide-react'
import { useId, useState } from 'react'
import { Button, IconButton } from '@/components/ui/button'
import { Input, Textarea } from '@/components/ui/input'
import { NativeSelect } from '@/components/ui/native-select'
import { useRowFocus } from '@/components/ui/use-row-focus'
import {
  faultOf,
  newPair,
  type Pair,
  type PairKind,
  pairsOf,
  pairsText,
  withKind,
} from './json-pairs'

type Props = { value: string; onChange: (json: string) => void }

/** An object as rows of a key, a type and a value. `value` is its JSON text, read once. */
export function PairsEditor({ value, onChange }: Props) {
  const [pairs, setPairs] = useState(() => pairsOf(value) ?? [])
  const rows = useRowFocus()
  const change = (next: Pair[]) => {
    // An object that was never there is not made by a look at it.
    const json = pairsText(next)
    setPairs(next)
    onChange(value.trim() === '' && json === '{}' ? value : json)
  }
  return (
    <div ref={rows.area} className="grid gap-1.5">
      {pairs.map((pair, index) => (
        <PairRow
          key={pair.id}
          pair={pair}
          place={index + 1}
          fault={faultOf(pair, pairs)}
          onChange={(next) => change(pairs.map((each) => (each.id === pair.id ? next : each)))}
          onRemove={() => rows.remove(() => change(pairs.filter(({ id }) => id !== pair.id)))}
        />
      ))}
      <div>
        <Button
          data-add
          size="sm"
          variant="ghost"
          onClick={() => rows.add(() => change([...pairs, newPair()]))}
        >
          <PlusIcon aria-hidden /> Add a key
        </Button>
      </div>
    </div>
  )
}

type PairRowProps = {
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
function PairRow({ pair, place, fault, onChange, onRemove }: PairRowProps) {
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
