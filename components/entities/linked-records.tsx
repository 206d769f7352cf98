import { useQuery } from '@tanstack/react-query'
import { PlusIcon } from 'lucide-react'
import { useId, useState } from 'react'
import { fieldLabel } from '@/components/data-table/field-label'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { formatCount } from '@/components/ui/number'
import { ErrorState } from '@/components/ui/state'
import { useSearch } from '@/lib/query/search'
import type { LinkedEntity } from '@/lib/tables/column-contract'
import { exactJsonText, plainText } from '@/lib/values/exact-json'
import { columnsOptions } from './entity-queries'
import { keysOf, LinkedChip, MoreLinked } from './linked-chip'
import { queryOfIds } from './record-key'
import { titleFields } from './record-title'
import { ReferenceInput } from './reference-input'
import { linksOf } from './relations'
import type { ColumnDescription, EntityRecord } from './types'
import { fieldsReferredTo, keyOf, type Linking, useLinking } from './use-linking'

/** More are a page of their own. */
const SHOWN = 50

type Props = {
  entity: string
  record: EntityRecord
  /** Offers no changes. */
  readOnly: boolean
}

/** The lists of linked records that a record has. */
export function LinkedRecords(props: Props) {
  const links = linksOf(useQuery(columnsOptions(props.entity)).data)
  if (links.length === 0) return null
  return (
    <div className="mt-2 grid gap-3 border-t pt-3">
      {links.map((link) => (
        <LinkedList key={link.relation} {...props} {...{ link }} />
      ))}
    </div>
  )
}

type ListProps = Props & { link: LinkedEntity }

/** One list: chips by their titles, each with the way to its record, and to no longer link it. */
function LinkedList({ entity, record, readOnly, link }: ListProps) {
  const titleId = useId()
  const [isAdding, setAdding] = useState(false)
  const far = useQuery(columnsOptions(link.entity))
  const columns = far.data?.data ?? []
  const { found, records, count } = useLinked({ entity, record, link, columns })
  const mayChange = useCan({ entity, action: 'update' }) && !readOnly
  const mayAdd = useCan({ entity: link.link, action: 'write' }) && mayChange
  const mayRemove = useCan({ entity: link.link, action: 'delete' }) && mayChange
  const change = useLinking({ entity, record, link, columns })
  const label = fieldLabel({ name: link.relation, label: null })
  if (far.error || found.error) return <ErrorState of={far.error ? far : found} />
  const known = found.data !== undefined
  return (
    <section aria-labelledby={titleId}>
      <h3 id={titleId} className="text-xs font-medium">
        {label}
        {known && (
          <span className="tabular font-normal text-muted-foreground"> {formatCount(count)}</span>
        )}
      </h3>
      <ul aria-label={label} className="mt-1 flex flex-wrap items-center gap-1 empty:hidden">
        {records.map((one) => (
          <LinkedChip
            key={exactJsonText(keyOf(one, columns))}
            {...{ link, columns }}
            record={one}
            onRemove={mayRemove ? () => change.mutate({ remove: one }) : undefined}
            isBusy={change.isPending}
          />
        ))}
        <MoreLinked {...{ entity, record, link }} count={count - records.length} />
      </ul>
      {known && count === 0 && !mayAdd && (
        <p className="mt-1 text-[13px] text-muted-foreground">None</p>
      )}
      {mayAdd && known && !isAdding && (
        <Button size="sm" variant="ghost" className="mt-1 -ml-2" onClick={() => setAdding(true)}>
          <PlusIcon aria-hidden className="size-3.5" />
          Add<span className="sr-only"> to {label}</span>
        </Button>
      )}
      {isAdding && (
        <Picker
          {...{ link, columns, label }}
          onChosen={(key) => change.mutate({ add: key })}
          onClose={() => setAdding(false)}
        />
      )}
    </section>
  )
}

/** The first records of the list, and how many there are. */
function useLinked({ entity, record, link, columns }: Linking) {
  const own = useQuery(columnsOptions(entity)).data?.data ?? []
  const between = useQuery(columnsOptions(link.link)).data?.data ?? []
  const { relation } = link
  const counted = `${relation}.$count`
  const found = useSearch<EntityRecord>(
    entity,
    {
      fields: [counted],
      expand: [
        {
          relation,
          fields: [...new Set([...namesOf(columns), ...fieldsReferredTo(between, link)])],
          limit: SHOWN,
        },
      ],
      query: queryOfIds(keysOf(own), [record.persistenceId]),
      pagination: { page: 0, size: 1 },
      count: 'none',
    },
    { enabled: [columns, own, between].every(({ length }) => length > 0) },
  )
  const [first] = found.data?.data ?? []
  const records = (first?.[relation] ?? []) as unknown as EntityRecord[]
  return { found, records, count: Number(plainText(first?.[counted] ?? 0)) }
}

const namesOf = (columns: readonly ColumnDescription[]) => [
  ...keysOf(columns),
  ...titleFields(columns),
]

type PickerProps = {
  link: LinkedEntity
  columns: readonly ColumnDescription[]
  label: string
  onChosen: (key: string) => void
  onClose: () => void
}

/** Finds a record of the other side by its title or key. */
function Picker({ link: { entity }, columns, label, onChosen, onClose }: PickerProps) {
  const [text, setText] = useState('')
  const keys = keysOf(columns)
  const [only = ''] = keys
  return (
    <div className="mt-1 flex max-w-sm items-center gap-1">
      <div className="min-w-0 grow">
        <ReferenceInput
          aria-label={`Add to ${label}`}
          reference={{ entity, field: keys.length === 1 ? only : 'persistenceId' }}
          value={text}
          onChange={setText}
          onChosen={(key) => {
            setText('')
            onChosen(key)
          }}
        />
      </div>
      <Button size="sm" variant="ghost" onClick={onClose}>
        Done
      </Button>
    </div>
  )
}
