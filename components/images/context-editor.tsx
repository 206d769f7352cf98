import { PlusIcon, XIcon } from 'lucide-react'
import { useId } from 'react'
import { Button, IconButton } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { useRowFocus } from '@/components/ui/use-row-focus'
import { faultOf, newPair, type Pair } from './context-pairs'

type Props = {
  pairs: readonly Pair[]
  onChange: (pairs: Pair[]) => void
  error?: string | null
  legend?: string
  hint?: string
}

const HINT = 'Metadata for apps that show the image, such as alt or caption.'

/** Keys and texts that are kept with an image. */
export function ContextEditor(props: Props) {
  const { pairs, onChange, error, legend = 'Context', hint = HINT } = props
  const rows = useRowFocus<HTMLFieldSetElement>()
  const change = (id: string, part: Partial<Pair>) =>
    onChange(pairs.map((pair) => (pair.id === id ? { ...pair, ...part } : pair)))
  return (
    <fieldset ref={rows.area} className="grid gap-1.5">
      <legend className="mb-1.5 text-[13px] font-medium">{legend}</legend>
      {pairs.map((pair, index) => (
        <PairRow
          key={pair.id}
          pair={pair}
          place={index + 1}
          fault={faultOf(pair, pairs)}
          invalid={Boolean(error)}
          onChange={(part) => change(pair.id, part)}
          onRemove={() => rows.remove(() => onChange(pairs.filter(({ id }) => id !== pair.id)))}
        />
      ))}
      <div>
        <Button data-add size="sm" onClick={() => rows.add(() => onChange([...pairs, newPair()]))}>
          <PlusIcon aria-hidden /> Add a key
        </Button>
      </div>
      {error ? (
        <p role="alert" className="text-xs text-destructive">
          {error}
        </p>
      ) : (
        <p className="text-xs text-muted-foreground">{hint}</p>
      )}
    </fieldset>
  )
}

type RowProps = {
  pair: Pair
  place: number
  fault: string | null
  invalid: boolean
  onChange: (part: Partial<Pair>) => void
  onRemove: () => void
}

function PairRow({ pair, place, fault, invalid, onChange, onRemove }: RowProps) {
  const faultId = useId()
  const common = {
    'aria-describedby': fault ? faultId : undefined,
    autoComplete: 'off',
    'aria-invalid': invalid || undefined,
  }
  return (
    <div data-row className="grid gap-1">
      <div className="grid grid-cols-[minmax(5rem,9rem)_1fr_auto] items-center gap-1.5">
        <Input
          {...common}
          aria-label={`Key ${place}`}
          placeholder="key"
          value={pair.key}
          onValueChange={(key) => onChange({ key })}
        />
        <Input
          {...common}
          aria-label={`Value ${place}`}
          placeholder="value"
          value={pair.value}
          onValueChange={(value) => onChange({ value })}
        />
        <IconButton icon={XIcon} label={`Remove key ${place}`} onClick={onRemove} />
      </div>
      {fault && (
        <p id={faultId} className="text-xs text-muted-foreground">
          {fault}
        </p>
      )}
    </div>
  )
}
