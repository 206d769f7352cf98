import { PlusIcon, Trash2Icon } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { TagInput } from '@/components/ui/tag-input'
import type { IndexDraft } from './entity-draft'

const KINDS: { value: IndexDraft['kind']; label: string }[] = [
  { value: 'index', label: 'Index: fast to filter and sort by' },
  { value: 'unique', label: 'Unique together' },
  { value: 'schema', label: 'Unique together, by the schema' },
]

type Props = {
  indexes: readonly IndexDraft[]
  /** Names of the fields. */
  fields: readonly string[]
  onChange: (indexes: readonly IndexDraft[]) => void
}

/** Indexes and rules over several fields. */
export function IndexCard({ indexes, fields, onChange }: Props) {
  const change = (at: number, part: Partial<IndexDraft>) =>
    onChange(indexes.map((one, index) => (index === at ? { ...one, ...part } : one)))
  const add = () => onChange([...indexes, { fields: [], kind: 'index', name: '' }])
  return (
    <Card
      title="Indexes and rules across fields"
      description="Those of a single field are set in its dialog"
      actions={
        <Button size="sm" onClick={add}>
          <PlusIcon aria-hidden /> Add index
        </Button>
      }
    >
      {indexes.length === 0 && <p className="text-[13px] text-muted-foreground">None</p>}
      <ul className="grid gap-3">
        {indexes.map((index, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no names of their own
          <li key={at} className="flex flex-wrap items-center gap-2">
            <TagInput
              aria-label={`Fields of index ${at + 1}`}
              className="min-w-48 flex-1"
              placeholder="Fields"
              value={index.fields}
              suggestions={fields}
              onValueChange={(names) => change(at, { fields: names })}
            />
            <Select
              aria-label={`Kind of index ${at + 1}`}
              className="w-64 max-w-full"
              value={index.kind}
              onValueChange={(kind) => change(at, { kind })}
              options={KINDS}
            />
            {index.kind !== 'index' && (
              <Input
                className="w-56"
                aria-label={`Message of rule ${at + 1}`}
                placeholder="How its message begins"
                value={index.name}
                autoComplete="off"
                onChange={({ target }) => change(at, { name: target.value })}
              />
            )}
            <Button
              size="sm"
              variant="ghost"
              aria-label={`Remove index ${at + 1}`}
              title="Remove"
              onClick={() => onChange(indexes.filter((_, other) => other !== at))}
            >
              <Trash2Icon aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
