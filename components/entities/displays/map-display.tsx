import { CheckIcon } from 'lucide-react'
import { useTheme } from 'next-themes'
import { useMemo, useState } from 'react'
import { ListBox } from '@/components/data-table/list-box'
import { TableMessage } from '@/components/data-table/table-message'
import { cn } from '@/components/ui/cn'
import { formatCount } from '@/components/ui/number'
import { locationAt, locationOf } from '../location'
import { titleOf } from '../record-title'
import type { ColumnDescription, EntityRecord } from '../types'
import { MapCanvas } from './map-canvas'
import { type DisplayProps, type PlaceFields, placeFields } from './supported'

export type Place = { id: string; title: string; at: [longitude: number, latitude: number] }

/** Records at their places, and a list of them for the keyboard. */
export default function MapDisplay(props: DisplayProps) {
  const { columns, rows, total, loading, selection, onOpen } = props
  const { resolvedTheme } = useTheme()
  const [failed, setFailed] = useState(false)
  const places = useMemo(() => placesOf(rows, columns), [rows, columns])
  if (loading.error || (rows.length === 0 && !loading.isPending))
    return (
      <div className="min-h-96 flex-1 overflow-auto rounded-lg border bg-card">
        <TableMessage {...props} />
      </div>
    )
  return (
    <div
      className="flex min-h-96 flex-1 overflow-hidden rounded-lg border bg-card max-sm:flex-col"
      aria-busy={loading.isFetching}
    >
      <div className="relative min-h-64 min-w-0 flex-1">
        {failed ? (
          <p role="alert" className="p-4 text-[13px] text-muted-foreground">
            This browser can’t draw maps: it has no WebGL. The list has all places.
          </p>
        ) : (
          <MapCanvas
            key={resolvedTheme}
            places={places}
            selected={selection.ids}
            onOpen={onOpen}
            onToggle={selection.toggle}
            onFailure={() => setFailed(true)}
          />
        )}
      </div>
      <div className="flex w-64 min-w-0 flex-col border-l max-sm:h-48 max-sm:w-full max-sm:border-t max-sm:border-l-0">
        <p role="status" className="border-b px-3 py-2 text-[13px] text-muted-foreground">
          {countText(places.length, total)}
        </p>
        <MapList {...props} places={places} />
      </div>
    </div>
  )
}

function countText(shown: number, total: number | null): string {
  if (total === null || total <= shown)
    return shown === 1 ? '1 record' : `${formatCount(shown)} records`
  return `${formatCount(shown)} of ${formatCount(total)} records; a filter shows others`
}

function placesOf(rows: readonly EntityRecord[], columns: ColumnDescription[]): Place[] {
  const fields = placeFields(columns)
  if (!fields) return []
  return rows.flatMap((record) => {
    const found = placeOf(record, fields)
    if (!found) return []
    const at: Place['at'] = [Number(found.longitude), Number(found.latitude)]
    return [{ id: record.persistenceId, title: titleOf(record, columns), at }]
  })
}

const placeOf = (record: EntityRecord, fields: PlaceFields) =>
  'object' in fields ? locationOf(record[fields.object]) : locationAt(record, fields)

type Props = Pick<DisplayProps, 'entity' | 'selection' | 'onOpen' | 'onEdit'> & {
  places: readonly Place[]
}

/** The records of a map by name. */
const MapList = ({ entity, places, selection, onOpen, onEdit }: Props) => (
  <ListBox
    label={`Records of ${entity}`}
    className="min-h-0 flex-1 overflow-y-auto p-1"
    ids={places.map(({ id }) => id)}
    {...{ selection, onOpen, onEdit }}
  >
    {(option, index) => (
      <div
        role="option"
        tabIndex={option.tabIndex}
        {...option}
        className={cn(
          'flex h-7 cursor-pointer items-center gap-2 rounded px-2 text-[13px] select-none focus-visible:-outline-offset-2',
          option['aria-selected'] ? 'bg-primary-soft' : 'hover:bg-accent/60',
        )}
      >
        <span className="min-w-0 flex-1 truncate">{places[index]?.title}</span>
        {option['aria-selected'] && (
          <CheckIcon aria-hidden className="size-3.5 shrink-0 text-primary" />
        )}
      </div>
    )}
  </ListBox>
)
