'use client'
import type { RowSelection } from '@/components/data-table/use-row-selection'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Dialog } from '@/components/ui/dialog'
import { titleOf } from '../record-title'
import type { ColumnDescription, EntityRecord } from '../types'
import { dayName } from './day-names'

type Props = {
  day: string
  records: readonly EntityRecord[]
  columns: ColumnDescription[]
  selection: RowSelection
  onOpen: (id: string) => void
  onClose: () => void
}

/** All records of a day, to open and to select. */
export function DayDialog({ day, records, columns, selection, onOpen, onClose }: Props) {
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={(open) => !open && onClose()}
      title={dayName(day)}
      description={records.length === 1 ? '1 record' : `${records.length} records`}
    >
      <ul className="-mx-2 grid">
        {records.map((record) => {
          const { persistenceId: id } = record
          const title = titleOf(record, columns)
          return (
            <li key={id} className="flex min-w-0 items-center gap-2 pl-2">
              <Checkbox
                aria-label={`Select ${title}`}
                checked={selection.has(id)}
                onCheckedChange={() => selection.toggle(id)}
              />
              <Button
                variant="ghost"
                className="min-w-0 flex-1 justify-start"
                onClick={() => {
                  onClose()
                  onOpen(id)
                }}
              >
                <span className="truncate">{title}</span>
              </Button>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
