import { fieldLabel } from '@/components/data-table/field-label'
import { forcedColumns, readOnlyColumns } from './draft'
import { FullValue } from './full-value'
import type { ColumnDescription, EntityRecord } from './types'

type Props = { record: EntityRecord | null; columns: readonly ColumnDescription[] }

/** What policies give a record whatever is sent, so that there is nothing to fill in. */
export const ForcedFields = ({ record, columns }: Props) => (
  <Fields
    name="Fields that policies set"
    hint="Set automatically by a policy when you save."
    record={record}
    columns={forcedColumns(columns, record === null)}
  />
)

/** What policies let this user see of the record and not change. */
export const ReadOnlyFields = ({ record, columns }: Props & { record: EntityRecord }) => (
  <Fields
    name="Read-only fields"
    hint="You don’t have the right to change these."
    record={record}
    columns={readOnlyColumns(columns).filter(({ name }) => name in record)}
  />
)

function Fields({ name, hint, record, columns }: Props & { name: string; hint: string }) {
  if (columns.length === 0) return null
  return (
    <section aria-label={name} className="grid gap-2 border-t pt-4">
      <p className="text-xs text-muted-foreground">{hint}</p>
      <dl className="grid grid-cols-[minmax(7rem,11rem)_minmax(0,1fr)] gap-x-4 gap-y-2">
        {columns.map((column) => (
          <div key={column.name} className="contents">
            <dt className="text-[13px] text-muted-foreground">{fieldLabel(column)}</dt>
            <dd className="min-w-0 break-words">
              {record ? (
                <FullValue value={record[column.name] ?? null} column={column} record={record} />
              ) : (
                <span className="text-muted-foreground">Automatic</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
