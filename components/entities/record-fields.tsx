'use client'
import { cn } from '@/components/ui/cn'
import { isNested } from '@/lib/values/exact-json'
import { type FieldGroup, fieldGroups } from './field-groups'
import { type Location, locationFields, locationsOf } from './location'
import { LocationLink } from './location-link'
import { PlacesMap } from './places-map'
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
  const places = locationsOf(record, columns)
  return (
    <div className="@container grid gap-5">
      {groups.map((group) => (
        <Group key={group.title} {...{ group, record, places, isOwn }} />
      ))}
    </div>
  )
}

type GroupProps = {
  group: FieldGroup
  record: EntityRecord
  places: ReadonlyMap<string, Location>
  isOwn: boolean
}

function Group({ group: { title, quiet, columns }, record, places, isOwn }: GroupProps) {
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
          >
            {isNested(record[column.name]) && <PlacesMap at={column.name} places={places} />}
          </RecordField>
        ))}
        {locationFields(columns).map(({ latitude }) => (
          <Place key={latitude} at={latitude} places={places} />
        ))}
      </dl>
    </section>
  )
}

/** What two fields say together. */
function Place(props: { at: string; places: ReadonlyMap<string, Location> }) {
  const place = props.places.get(props.at)
  if (!place) return null
  return (
    <div className="col-span-full grid grid-cols-subgrid gap-x-4 py-2">
      <dt className="text-[13px] text-muted-foreground">Place</dt>
      <dd>
        <LocationLink location={place} />
      </dd>
      <PlacesMap {...props} />
    </div>
  )
}
