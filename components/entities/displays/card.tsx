'use client'
import { CheckIcon } from 'lucide-react'
import type { MouseEvent } from 'react'
import { fieldLabel } from '@/components/data-table/field-label'
import { formatValue } from '@/components/data-table/format-value'
import type { ListParams } from '@/components/data-table/list-params'
import { cn } from '@/components/ui/cn'
import { titleOf } from '../record-title'
import type { ColumnDescription, EntityRecord } from '../types'
import { CardImage } from './card-image'
import { cardFields } from './display-search'
import { imageField } from './supported'

type Props = {
  record: EntityRecord
  columns: ColumnDescription[]
  list: ListParams
  selected: boolean
  tabbable: boolean
  onFocus: () => void
  onClick: (event: MouseEvent) => void
}

/** One record: its image, its name and the first of its fields. */
export function RecordCard({ record, columns, list, selected, tabbable, ...on }: Props) {
  const image = imageField(columns)
  const title = titleOf(record, columns)
  const fields = cardFields(columns, list).flatMap((name) => {
    const column = columns.find((each) => each.name === name)
    const value = record[name]
    if (!column || name === image || value === null || value === undefined || value === '')
      return []
    return [{ name, label: fieldLabel(column), text: formatValue(value, column) }]
  })
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box takes the keys of all its options
    <div
      role="option"
      aria-selected={selected}
      aria-label={[title, ...fields.map(({ label, text }) => `${label} ${text}`)].join(', ')}
      tabIndex={tabbable ? 0 : -1}
      onFocus={on.onFocus}
      onClick={on.onClick}
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      className={cn(
        'group/card relative min-w-0 cursor-pointer rounded-lg border p-1.5 select-none focus-visible:-outline-offset-2',
        selected ? 'border-primary bg-primary-soft/60' : 'hover:bg-accent/50',
      )}
    >
      <CardImage value={record[image ?? '']} column={columns.find(({ name }) => name === image)} />
      <span className="mt-2 block truncate px-0.5 text-[13px] font-medium">{title}</span>
      <span className="grid px-0.5 pb-0.5 text-xs text-muted-foreground">
        {fields.map(({ name, label, text }) => (
          <span key={name} className="truncate" title={`${label}: ${text}`}>
            {text}
          </span>
        ))}
      </span>
      <Mark selected={selected} />
    </div>
  )
}

// A finger needs it at once; a mouse when it is near.
const Mark = ({ selected }: { selected: boolean }) => (
  <span
    aria-hidden
    data-mark
    className={cn(
      'absolute top-1.5 left-1.5 grid size-8 place-items-center',
      !selected &&
        'opacity-0 group-hover/card:opacity-100 group-focus/card:opacity-100 pointer-coarse:opacity-100',
    )}
  >
    <span
      className={cn(
        'grid size-4 place-items-center rounded border border-input bg-card',
        selected && 'border-primary bg-primary text-primary-foreground',
      )}
    >
      {selected && <CheckIcon className="size-3" strokeWidth={3} />}
    </span>
  </span>
)
