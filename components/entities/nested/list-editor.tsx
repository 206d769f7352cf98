'use client'
import { CircleAlertIcon } from 'lucide-react'
import { useId, useState } from 'react'
import { Segmented } from '@/components/ui/segmented'
import { TagInput } from '@/components/ui/tag-input'
import { type List, listOf, listText, wrongItems } from './json-list'

type Props = { label: string; value: string; onChange: (json: string) => void }

const KINDS = [
  { value: 'text', label: 'Texts' },
  { value: 'number', label: 'Numbers' },
] as const
const EMPTY: List = { kind: 'text', items: [] }

/** A list of texts or numbers as tags. `value` is its JSON text, read once. */
export function ListEditor({ label, value, onChange }: Props) {
  const faultId = useId()
  const [list, setList] = useState(() => listOf(value) ?? EMPTY)
  const wrong = wrongItems(list)
  const change = (next: List) => {
    // A list that was never there is not made by a look at it.
    setList(next)
    onChange(value.trim() === '' && next.items.length === 0 ? value : listText(next))
  }
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-start gap-1.5">
        <TagInput
          aria-label={label}
          aria-describedby={wrong.length > 0 ? faultId : undefined}
          invalid={wrong.length > 0}
          placeholder={list.kind === 'number' ? 'Number, then Enter' : 'Text, then Enter'}
          value={list.items}
          onValueChange={(items) => change({ ...list, items })}
          className="min-w-40 flex-1"
        />
        <Segmented
          aria-label={`Kind of ${label}`}
          value={list.kind}
          onValueChange={(kind) => change({ ...list, kind })}
          options={KINDS}
        />
      </div>
      {wrong.length > 0 && (
        <p id={faultId} className="flex items-start gap-1.5 text-xs text-destructive">
          <CircleAlertIcon aria-hidden className="mt-px size-3.5 shrink-0" />
          {`No number: ${wrong.join(', ')}`}
        </p>
      )}
    </div>
  )
}
