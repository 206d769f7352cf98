'use client'
import { ListFilterIcon } from 'lucide-react'
import { fieldLabel } from '@/components/data-table/field-label'
import { useListState } from '@/components/data-table/use-list-state'
import { Button } from '@/components/ui/button'
import { CodeBlock } from '@/components/ui/code-block'
import { CopyButton } from '@/components/ui/copy-button'
import { type ExactJson, exactJsonText, isNested } from '@/lib/values/exact-json'
import { CellValue } from './cell-value'
import type { ColumnDescription, EntityRecord } from './types'
import { conditionFor } from './value-condition'

type Props = {
  record: EntityRecord
  columns: readonly ColumnDescription[]
  /** Of the entity of the page: its values can filter the table. */
  isOwn: boolean
}

/** Every field with its value in full. */
export function RecordFields({ record, columns, isOwn }: Props) {
  return (
    <dl className="divide-y">
      {columns
        .filter(({ name }) => name in record)
        .map((column) => (
          <Field
            key={column.name}
            column={column}
            value={record[column.name] ?? null}
            record={record}
            isOwn={isOwn}
          />
        ))}
    </dl>
  )
}

type FieldProps = {
  column: ColumnDescription
  value: ExactJson
  record: EntityRecord
  isOwn: boolean
}

function Field({ column, value, record, isOwn }: FieldProps) {
  const { name, type, key, declared } = column
  const label = fieldLabel(column)
  const list = useListState()
  const nested = isNested(value)
  return (
    <div className="group/field py-2.5">
      <dt className="flex h-6 items-center gap-2 text-xs text-muted-foreground">
        <span className="font-medium text-foreground" title={name}>
          {label}
        </span>
        <span>
          {type}
          {key && ', key'}
          {!declared && ', undeclared'}
        </span>
        <span className="ml-auto flex opacity-0 group-focus-within/field:opacity-100 group-hover/field:opacity-100">
          {isOwn && (
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={`Only records with this ${label}`}
              onClick={() => list.addCondition(conditionFor(column, value, true))}
            >
              <ListFilterIcon aria-hidden />
            </Button>
          )}
          <CopyButton
            text={nested ? exactJsonText(value, 2) : String(value ?? '')}
            label={`Copy ${label}`}
          />
        </span>
      </dt>
      <dd className="min-w-0 break-words">
        {nested ? (
          <CodeBlock label={label} code={exactJsonText(value, 2)} className="mt-1" />
        ) : column.kind === 'text' && typeof value === 'string' && value.length > LONG ? (
          <p className="whitespace-pre-wrap">{value}</p>
        ) : (
          <CellValue value={value} column={column} record={record} />
        )}
      </dd>
    </div>
  )
}

const LONG = 150
