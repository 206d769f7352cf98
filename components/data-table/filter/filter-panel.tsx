'use client'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import type { Condition, GroupCondition } from './condition'
import { initialCondition } from './condition-row'
import type { FilterField } from './field'
import { GroupEditor } from './group-editor'

type Props = {
  fields: readonly FilterField[]
  filter: readonly Condition[]
  onApply: (filter: Condition[]) => void
}

/** A draft of the filter; nothing is asked for until it is applied. */
export default function FilterPanel({ fields, filter, onApply }: Props) {
  const [draft, setDraft] = useState<GroupCondition>(() => toGroup(filter, fields))
  return (
    <form
      className="grid w-[min(42rem,calc(100vw-3rem))] gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onApply(fromGroup(draft))
      }}
    >
      <GroupEditor fields={fields} group={draft} onChange={setDraft} />
      <div className="flex justify-end gap-2 border-t pt-3">
        <Button size="sm" onClick={() => onApply([])}>
          Clear
        </Button>
        <Button size="sm" type="submit" variant="primary">
          Apply
        </Button>
      </div>
    </form>
  )
}

// The top list is AND; a single OR at the top is shown as the top itself.
function toGroup(filter: readonly Condition[], fields: readonly FilterField[]): GroupCondition {
  const [only] = filter
  if (filter.length === 1 && only && 'filters' in only && only.operator === 'or') return only
  return { operator: 'and', filters: filter.length > 0 ? [...filter] : [initialCondition(fields)] }
}

const fromGroup = (group: GroupCondition): Condition[] =>
  group.operator === 'and' || group.filters.length === 0 ? group.filters : [group]
