'use client'
import { ArrowRightIcon } from 'lucide-react'
import { NativeSelect } from '@/components/ui/native-select'
import { Badge } from '@/components/ui/status'
import { allowedText, examplesText, faultText } from '@/lib/definitions/fault-words'
import type { ImportPreview } from '@/lib/import/preview-contract'

type Column = ImportPreview['columns'][number]

type Props = {
  column: Column
  preview: ImportPreview
  /** Of the first rows, about its field. */
  faults: ImportPreview['groups']
  onField: (field: string | null) => void
}

const NOTHING = ''

/** A column of the file, some of its values, and the field that it becomes. */
export function ColumnRow({ column: shown, preview, faults, onField }: Props) {
  const { column, field, by, reason, samples } = shown
  return (
    <li className="grid gap-x-3 gap-y-1 px-3 py-2 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] sm:items-center">
      <div className="min-w-0">
        <p className="truncate text-[13px] font-medium">{column}</p>
        <p className="truncate font-mono text-xs text-muted-foreground">
          {samples.length > 0 ? samples.join(' · ') : 'no values'}
        </p>
      </div>
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
export function ColumnFault({ fault }: { fault: Props['faults'][number] }) {
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
    label: `${label && label !== name ? `${name} (${label})` : name} — ${type}${required ? ', required' : ''}`,
  }))
  const isNew = open && !fields.some(({ name }) => name === (field ?? column))
  const undeclared = isNew
    ? [{ value: field ?? column, label: `${field ?? column} — not declared` }]
    : []
  return [{ value: NOTHING, label: 'Leave out' }, ...named, ...undeclared]
}
