import { ArrowRightIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { NativeSelect } from '@/components/ui/native-select'
import { countOf } from '@/components/ui/number'
import { Badge } from '@/components/ui/status'
import { allowedText, examplesText, faultText } from '@/lib/definitions/fault-words'
import type { ImportPreview } from '@/lib/import/contract'
import { chooseOptions } from './check-import'
import { ColumnSamples } from './column-samples'
import type { ImportItem, Mapping } from './import-item'

type Props = { item: ImportItem; preview: ImportPreview }

const SHOWN = 50

/** Which field each column becomes, with values of the first rows and what is wrong with them. */
export function ColumnList({ item, preview }: Props) {
  const [shown, setShown] = useState(SHOWN)
  const { columns } = preview
  // The check of all rows lists the faults itself.
  const groups = item.state === 'checked' ? [] : preview.groups
  const isMapped = (field: string | null) => columns.some((column) => column.field === field)
  const others = groups.filter(({ field }) => field === null || !isMapped(field))
  const left = columns.filter(({ field }) => field === null).length
  return (
    <section aria-label="Columns" className="grid gap-2">
      <h3 className="flex flex-wrap items-baseline gap-x-2 text-[13px] font-medium">
        Columns
        <span className="font-normal text-muted-foreground">
          {countOf(columns.length, 'column')}
          {left > 0 && `, ${left} left out`}
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

type Column = ImportPreview['columns'][number]

type ColumnRowProps = {
  column: Column
  preview: ImportPreview
  /** Of the first rows, about its field. */
  faults: ImportPreview['groups']
  onField: (field: string | null) => void
}

const NOTHING = ''

/** A column of the file, some of its values, and the field that it becomes. */
function ColumnRow({ column: shown, preview, faults, onField }: ColumnRowProps) {
  const { column, field, by, reason, samples } = shown
  return (
    <li className="grid gap-x-3 gap-y-1 px-3 py-2 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] sm:items-center">
      <ColumnSamples {...{ column, samples }} />
      <ArrowRightIcon aria-hidden className="size-3.5 text-muted-foreground max-sm:hidden" />
      <div className="grid min-w-0 gap-1">
        <span className="flex min-w-0 items-center gap-2">
          <NativeSelect
            aria-label={`Field of the column ${column}`}
            className="min-w-0 flex-1"
            value={field ?? NOTHING}
            options={optionsOf(shown, preview)}
            onValueChange={(name) => onField(name === NOTHING ? null : name)}
          />
          {by === 'likeness' && <Badge>by likeness</Badge>}
        </span>
        {field === null && reason && (
          <p className="text-xs text-muted-foreground">Left out: {reason}</p>
        )}
        {faults.map((fault) => (
          <ColumnFault key={`${fault.rule} ${JSON.stringify(fault.value)}`} fault={fault} />
        ))}
      </div>
    </li>
  )
}

/** What is wrong with values of the first rows. */
function ColumnFault({ fault }: { fault: ColumnRowProps['faults'][number] }) {
  const allowed = allowedText(fault)
  return (
    <p className="text-xs break-words text-destructive">
      {[faultText(fault), examplesText(fault)].filter(Boolean).join(', ')}
      {allowed && ` (${allowed})`}
    </p>
  )
}

function optionsOf({ column, field }: Column, { fields, open }: ImportPreview) {
  const named = fields.map(({ name, label, type, required }) => ({
    value: name,
    label: `${label && label !== name ? `${label} (${name})` : name} — ${type}${required ? ', required' : ''}`,
  }))
  const isNew = open && !fields.some(({ name }) => name === (field ?? column))
  const undeclared = isNew
    ? [{ value: field ?? column, label: `${field ?? column} — not declared` }]
    : []
  return [{ value: NOTHING, label: 'Leave out' }, ...named, ...undeclared]
}

type Columns = ImportPreview['columns']

/** The mapping that is shown, with `column` as `field`; a column that had this field is left out. */
function mappingWith(columns: Columns, column: string, field: string | null): Mapping {
  const others = columns
    .filter((one) => one.column !== column && one.column !== REASON)
    .map((one) => [one.column, one.field === field ? null : one.field])
  return Object.fromEntries([...others, [column, field]])
}

/** The last column of a file of refused rows is never a field. */
const REASON = 'engine:reason'
