'use client'
import { cn } from '@/components/ui/cn'
import { type FieldGroup, fieldGroups } from './field-groups'
import { locationAt, locationFields } from './location'
import { LocationLink } from './location-link'
import { RecordField } from './record-field'
import type { ColumnDescription, EntityRecord } from './types'

type Props = {
  record: EntityRecord
  columns: readonly ColumnDescription[]
  /** Of the entity of the page: its values can filter the table. */
  isOwn: boolean
}

/** Every field with its value in full: names beside values where there is room. */
export function RecordFields({ record, columns, isOwn }: Props) {
  const groups = fieldGroups(columns.filter(({ name }) => name in record))
  return (
    <div className="@container grid gap-5">
      {groups.map((group) => (
        <Group key={group.title} group={group} record={record} isOwn={isOwn} />
      ))}
    </div>
  )
}

type GroupProps = { group: FieldGroup; record: EntityRecord; isOwn: boolean }

function Group({ group: { title, quiet, columns }, record, isOwn }: GroupProps) {
  return (
    <section aria-label={title ?? 'Fields'}>
      {title && (
        <h3 className="border-b pb-1.5 text-xs font-medium text-muted-foreground">{title}</h3>
      )}
      <dl
        className={cn(
          'grid divide-y @md:grid-cols-[minmax(7rem,11rem)_minmax(0,1fr)_auto]',
          quiet && 'text-[13px] text-muted-foreground',
        )}
      >
        {columns.map((column) => (
          <RecordField
            key={column.name}
            column={column}
            value={record[column.name] ?? null}
            record={record}
            isOwn={isOwn}
          />
        ))}
        {locationFields(columns).map((fields) => (
          <Place key={fields.latitude} place={locationAt(record, fields)} />
        ))}
      </dl>
    </section>
  )
}

/** What two fields say together. */
function Place({ place }: { place: ReturnType<typeof locationAt> }) {
  if (!place) return null
  return (
    <div className="col-span-full grid grid-cols-subgrid gap-x-4 py-2">
      <dt className="text-[13px] text-muted-foreground">Place</dt>
      <dd>
        <LocationLink location={place} />
      </dd>
    </div>
  )
}
