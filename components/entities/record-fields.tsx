import { KeyRoundIcon, ListFilterIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { fieldLabel } from '@/components/data-table/field-label'
import { useListState } from '@/components/data-table/use-list-state'
import { IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { CopyButton } from '@/components/ui/copy-button'
import { type ExactJson, exactJsonText, isNested } from '@/lib/values/exact-json'
import { type FieldGroup, fieldGroups } from './field-groups'
import { fieldHint } from './field-hint'
import { FullValue, isCopiedInPlace, isWide } from './full-value'
import { type Location, locationFields, locationsOf } from './location'
import { LocationLink } from './location-link'
import { PlacesMap } from './places-map'
import type { ColumnDescription, EntityRecord } from './types'
import { conditionFor } from './value-condition'

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
        <Group key={`${group.title} ${group.quiet}`} {...{ group, record, places, isOwn }} />
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

type RecordFieldProps = {
  column: ColumnDescription
  value: ExactJson
  record: EntityRecord
  isOwn: boolean
  /** Below the value. */
  children?: ReactNode
}

/** A field's name, its value in full and what can be done with it. Wide values go below the name. */
function RecordField({ column, value, record, isOwn, children }: RecordFieldProps) {
  const wide = isWide(value, column)
  return (
    <div className="group/field relative col-span-full grid grid-cols-subgrid gap-x-4 py-2">
      <dt
        title={fieldHint(column)}
        className="flex min-w-0 items-start gap-1 pr-14 text-[13px] break-words text-muted-foreground @md:pr-0"
      >
        <span className="min-w-0">{fieldLabel(column)}</span>
        {column.key && <KeyRoundIcon aria-hidden className="mt-1 size-3 shrink-0" />}
        <span className="sr-only">{` (${fieldHint(column)})`}</span>
      </dt>
      <dd className={cn('min-w-0 break-words', wide && 'order-last col-span-full mt-1.5')}>
        <FullValue value={value} column={column} record={record} />
      </dd>
      <Tools column={column} value={value} isOwn={isOwn} />
      {children}
    </div>
  )
}

function Tools({ column, value, isOwn }: Omit<RecordFieldProps, 'record' | 'children'>) {
  const list = useListState()
  const label = fieldLabel(column)
  const text = isNested(value) ? exactJsonText(value, 2) : String(value ?? '')
  return (
    <dd className="absolute top-1.5 right-0 flex h-6 opacity-0 group-focus-within/field:opacity-100 group-hover/field:opacity-100 @md:static @md:col-start-3 @md:row-start-1 @md:-my-0.5 pointer-coarse:opacity-100">
      {isOwn && (
        <IconButton
          icon={ListFilterIcon}
          label={`Only records with this ${label}`}
          onClick={() => list.addCondition(conditionFor(column, value, true))}
        />
      )}
      {!isCopiedInPlace(value) && <CopyButton text={text} label={`Copy ${label}`} />}
    </dd>
  )
}
