'use client'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { countOf } from '@/components/ui/number'
import type { ImportPreview } from '@/lib/import/preview-contract'
import { chooseOptions } from './check-import'
import { ColumnFault, ColumnRow } from './column-row'
import type { ImportItem } from './import-item'
import { mappingWith } from './mapping-with'

type Props = { item: ImportItem; preview: ImportPreview }

const SHOWN = 50

/** Which field each column becomes, with values of the first rows and what is wrong with them. */
export function ColumnList({ item, preview }: Props) {
  const [shown, setShown] = useState(SHOWN)
  const { columns, groups, rows } = preview
  const isMapped = (field: string | null) => columns.some((column) => column.field === field)
  const others = groups.filter(({ field }) => field === null || !isMapped(field))
  const left = columns.filter(({ field }) => field === null).length
  return (
    <section aria-label="Columns" className="grid gap-2">
      <h3 className="flex flex-wrap items-baseline gap-x-2 text-[13px] font-medium">
        Columns
        <span className="font-normal text-muted-foreground">
          {countOf(columns.length, 'column')}
          {left > 0 && `, ${left} left out`} · the first {countOf(rows, 'row')} checked
        </span>
      </h3>
      {others.map((fault) => (
        <ColumnFault key={`${fault.rule} ${fault.field} ${fault.message}`} fault={fault} />
      ))}
      <ul className="divide-y rounded-md border bg-card">
        {columns.slice(0, shown).map((column) => (
          <ColumnRow
            key={column.column}
            column={column}
            preview={preview}
            faults={groups.filter(({ field }) => field !== null && field === column.field)}
            onField={(field) =>
              chooseOptions(item.id, { mapping: mappingWith(columns, column.column, field) })
            }
          />
        ))}
      </ul>
      {columns.length > shown && (
        <Button size="sm" onClick={() => setShown(shown + SHOWN)}>
          Show more columns
        </Button>
      )}
    </section>
  )
}
