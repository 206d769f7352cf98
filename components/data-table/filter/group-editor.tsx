'use client'
import { PlusIcon, Trash2Icon } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
import { type Condition, type GroupCondition, isGroup } from './condition'
import { ConditionRow, initialCondition } from './condition-row'
import type { FilterField } from './field'

type Props = {
  fields: readonly FilterField[]
  group: GroupCondition
  onChange: (group: GroupCondition) => void
  onRemove?: () => void
  depth?: number
}

/** As deep as the search object goes. */
const MAX_DEPTH = 8

const WAYS = [
  { value: 'and', label: 'All of these' },
  { value: 'or', label: 'Any of these' },
  { value: 'not', label: 'Not all of these' },
] as const

/** Conditions joined by and, or, not; groups nest. */
export function GroupEditor({ fields, group, onChange, onRemove, depth = 1 }: Props) {
  const { operator, filters } = group
  const setAt = (index: number, next: Condition | null) =>
    onChange({
      operator,
      filters: filters.flatMap((each, i) => (i === index ? (next ?? []) : each)),
    })
  const add = (condition: Condition) => onChange({ operator, filters: [...filters, condition] })
  return (
    <div className={depth > 1 ? 'grid gap-2 rounded-lg border bg-muted/40 p-2' : 'grid gap-2'}>
      <div className="flex items-center gap-1.5">
        <Select
          size="sm"
          className="w-40"
          aria-label="How the conditions are joined"
          value={operator}
          onValueChange={(next) => onChange({ operator: next, filters })}
          options={depth > 1 ? WAYS : WAYS.slice(0, 2)}
        />
        {onRemove && (
          <Button variant="ghost" size="icon-sm" aria-label="Remove the group" onClick={onRemove}>
            <Trash2Icon aria-hidden />
          </Button>
        )}
      </div>
      {filters.map((condition, index) =>
        isGroup(condition) ? (
          <GroupEditor
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions are distinguished by their position alone
            key={index}
            fields={fields}
            group={condition}
            depth={depth + 1}
            onChange={(next) => setAt(index, next)}
            onRemove={() => setAt(index, null)}
          />
        ) : (
          <ConditionRow
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions are distinguished by their position alone
            key={index}
            fields={fields}
            condition={condition}
            onChange={(next) => setAt(index, next)}
            onRemove={() => setAt(index, null)}
          />
        ),
      )}
      <div className="flex gap-1.5">
        <Button size="sm" variant="ghost" onClick={() => add(initialCondition(fields))}>
          <PlusIcon aria-hidden /> Condition
        </Button>
        {depth < MAX_DEPTH && (
          <Button
            size="sm"
            variant="ghost"
            onClick={() => add({ operator: 'or', filters: [initialCondition(fields)] })}
          >
            <PlusIcon aria-hidden /> Group
          </Button>
        )}
      </div>
    </div>
  )
}
