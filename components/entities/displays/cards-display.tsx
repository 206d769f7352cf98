import { ImageIcon } from 'lucide-react'
import { fieldLabel } from '@/components/data-table/field-label'
import { formatValue } from '@/components/data-table/format-value'
import { ListBox, type ListOption, SelectionMark } from '@/components/data-table/list-box'
import type { ListParams } from '@/components/data-table/list-params'
import { TableMessage } from '@/components/data-table/table-message'
import { Picture } from '@/components/images/picture'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/state'
import type { ExactJson } from '@/lib/values/exact-json'
import { useImage } from '../image-by-reference'
import { ownImage, refersToImage, smallImage } from '../own-image'
import { titleOf } from '../record-title'
import type { ColumnDescription, EntityRecord } from '../types'
import { cardFields } from './display-search'
import { type DisplayProps, imageField } from './supported'

const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(13rem,45%),1fr))] gap-2 p-2'
const SKELETONS = 12

const HINT = 'Arrow keys move, with Shift they select. Space selects, Enter opens.'

/** Records as a list box of cards. */
export default function CardsDisplay(props: DisplayProps) {
  const { entity, rows, loading, selection, onOpen, onEdit } = props
  return (
    <div
      className="relative min-h-64 flex-1 overflow-auto rounded-lg border bg-card"
      aria-busy={loading.isFetching}
    >
      {rows.length > 0 && (
        <ListBox
          label={`Records of ${entity}`}
          hint={HINT}
          className={GRID}
          ids={rows.map(({ persistenceId }) => persistenceId)}
          {...{ selection, onOpen, onEdit }}
        >
          {(option, index) => (
            <RecordCard {...props} record={rows[index] as EntityRecord} option={option} />
          )}
        </ListBox>
      )}
      {rows.length === 0 && loading.isPending && <Skeletons />}
      {rows.length === 0 && !loading.isPending && <TableMessage {...props} />}
    </div>
  )
}

const Skeletons = () => (
  <div aria-hidden className={GRID}>
    {Array.from({ length: SKELETONS }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
      <div key={index} className="grid gap-2 p-1.5">
        <Skeleton className="aspect-[4/3] h-auto rounded-md" />
        <Skeleton className="h-3 w-2/3" />
      </div>
    ))}
  </div>
)

type Props = {
  record: EntityRecord
  columns: ColumnDescription[]
  related: ColumnDescription[]
  list: ListParams
  option: ListOption
}

/** One record: its image, its name and the first of its fields. */
function RecordCard({ record, columns, related, list, option }: Props) {
  const selected = option['aria-selected']
  const image = imageField(columns)
  const title = titleOf(record, columns)
  const fields = cardFields(columns, list, related).flatMap((name) => {
    const column = [...columns, ...related].find((each) => each.name === name)
    const value = record[name]
    if (!column || name === image || value === null || value === undefined || value === '')
      return []
    return [{ name, label: fieldLabel(column), text: formatValue(value, column) }]
  })
  return (
    <div
      role="option"
      tabIndex={option.tabIndex}
      {...option}
      aria-label={[title, ...fields.map(({ label, text }) => `${label} ${text}`)].join(', ')}
      className={cn(
        'group/option relative min-w-0 cursor-pointer rounded-lg border p-1.5 select-none focus-visible:-outline-offset-2',
        selected ? 'border-primary bg-primary-soft/60' : 'hover:bg-accent/50',
      )}
    >
      <CardImage value={record[image ?? '']} column={columns.find(({ name }) => name === image)} />
      <span className="mt-2 block truncate px-0.5 text-[13px] font-medium">{title}</span>
      <span className="grid px-0.5 pb-0.5 text-xs text-muted-foreground">
        {fields.map(({ name, label, text }) => (
          <span key={name} className="truncate" title={`${label}: ${text}`}>
            {text}
          </span>
        ))}
      </span>
      <SelectionMark selected={selected} shown={selected} />
    </div>
  )
}

type CardImageProps = { value: ExactJson | undefined; column?: ColumnDescription }

/** The image of a card: one of this system, by address or by reference; no stranger's server is asked for others. */
function CardImage({ value, column }: CardImageProps) {
  const reference = column?.rules.reference
  const first = Array.isArray(value) ? value[0] : value
  if (refersToImage(reference) && typeof first === 'string')
    return <Referred field={reference.field} value={first} />
  return <Shown address={ownImage(first)} />
}

const Referred = ({ field, value }: { field: string; value: string }) => (
  <Shown address={useImage(field, value)} />
)

const Shown = ({ address }: { address: string | null }) => (
  <span className="grid aspect-[4/3] overflow-hidden rounded-md bg-muted">
    {address ? (
      <Picture src={smallImage(address, 512)} className="size-full object-cover" />
    ) : (
      <ImageIcon
        aria-hidden
        strokeWidth={1.25}
        className="m-auto size-7 text-muted-foreground/60"
      />
    )}
  </span>
)
