import { useMutation, useQuery } from '@tanstack/react-query'
import { PlusIcon } from 'lucide-react'
import { useId, useState } from 'react'
import { fieldLabel } from '@/components/data-table/field-label'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { UNDO_NOTICE_MS } from '@/components/ui/notice-time'
import { formatCount } from '@/components/ui/number'
import { ErrorState } from '@/components/ui/state'
import { toast } from '@/components/ui/toast'
import { messageOf } from '@/lib/errors'
import { api } from '@/lib/http/client'
import { useSearch } from '@/lib/query/search'
import type { LinkedEntity } from '@/lib/tables/column-contract'
import { type ExactJson, exactJsonText, plainText } from '@/lib/values/exact-json'
import { columnsOptions, entityPath, refreshEntity } from './entity-queries'
import { keysOf, LinkedChip, MoreLinked } from './linked-chip'
import { queryOfIds } from './record-key'
import { titleFields } from './record-title'
import { ReferenceInput } from './reference-input'
import { linksOf } from './relations'
import type { ColumnDescription, EntityRecord } from './types'

/** More are a page of their own. */
const SHOWN = 50

type Props = {
  entity: string
  record: EntityRecord
  /** Offers no changes. */
  readOnly: boolean
}

/** The lists of linked records that a record has. */
export default function LinkedRecords(props: Props) {
  const links = linksOf(useQuery(columnsOptions(props.entity)).data)
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
  const change = useChange({ entity, record, link, columns })
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
function useLinked({ entity, record, link: { relation }, columns }: Linking) {
  const own = useQuery(columnsOptions(entity)).data?.data ?? []
  const counted = `${relation}.$count`
  const found = useSearch<EntityRecord>(
    entity,
    {
      fields: [counted],
      expand: [{ relation, fields: namesOf(columns), limit: SHOWN }],
      query: queryOfIds(keysOf(own), [record.persistenceId]),
      pagination: { page: 0, size: 1 },
      count: 'none',
    },
    { enabled: columns.length > 0 && own.length > 0 },
  )
  const [first] = found.data?.data ?? []
  const records = (first?.[relation] ?? []) as unknown as EntityRecord[]
  return { found, records, count: Number(plainText(first?.[counted] ?? 0)) }
}

const namesOf = (columns: readonly ColumnDescription[]) => [
  ...new Set([...keysOf(columns), ...titleFields(columns)]),
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

type Change = { add: string } | { remove: EntityRecord }
type Linking = Omit<ListProps, 'readOnly'> & { columns: readonly ColumnDescription[] }

/** Links or no longer links one record; what was linked is linked again by a button. */
function useChange({ entity, record, link, columns }: Linking) {
  const send = async (change: object) => {
    const path = entityPath(entity, `/${encodeURIComponent(record.persistenceId)}`)
    await api(path, { method: 'PATCH', body: { [link.relation]: change } })
    await Promise.all([entity, link.link, link.entity].map(refreshEntity))
  }
  const onError = (error: unknown) => void toast.error(messageOf(error))
  return useMutation({
    mutationFn: (change: Change) =>
      send('add' in change ? { add: [change.add] } : { remove: [keyOf(change.remove, columns)] }),
    onError,
    onSuccess: (_, change) => {
      if ('add' in change) return
      const undo = () => send({ add: [keyOf(change.remove, columns)] }).catch(onError)
      toast.success('Removed', {
        duration: UNDO_NOTICE_MS,
        action: { label: 'Undo', onClick: () => void undo() },
      })
    },
  })
}

/** Of several fields it is an object of them. */
function keyOf(record: EntityRecord, columns: readonly ColumnDescription[]): ExactJson {
  const keys = keysOf(columns)
  const [only = ''] = keys
  if (keys.length === 1) return record[only] ?? null
  return Object.fromEntries(keys.map((name) => [name, record[name] ?? null]))
}
