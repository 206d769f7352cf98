'use client'
import { PlusIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { useRowFocus } from '@/components/ui/use-row-focus'
import { faultOf, newPair, type Pair, pairsOf, pairsText } from './json-pairs'
import { PairRow } from './pair-row'

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
