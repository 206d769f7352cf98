import { useQuery } from '@tanstack/react-query'
import { useCan } from '@/components/shell/viewer'
import { Sheet } from '@/components/ui/sheet'
import { ErrorState } from '@/components/ui/state'
import { columnsOptions } from './entity-queries'
import { PanelSkeleton } from './panel-skeleton'
import { RecordForm } from './record-form'
import { queryOfIds } from './record-key'
import { RecordView } from './record-view'
import type { ColumnDescription, EntityRecord } from './types'
import { usePanel } from './use-panel'

type Props = { entity: string; system: boolean; rows: readonly EntityRecord[] }

/** What is open beside the table: a record, a record it refers to, or a new one. */
export default function RecordPanel({ entity, system, rows }: Props) {
  const { record, peeked, isCreating, close, closePeek } = usePanel()
  const mayWrite = useCan({ entity, action: 'write' }) && !system
  const shownEntity = peeked?.entity ?? entity
  const columns = useQuery(columnsOptions(shownEntity))
  const onClose = peeked && record ? closePeek : close
  if (!columns.data) {
    return (
      <Sheet onClose={onClose} title={shownEntity}>
        {columns.error ? <ErrorState of={columns} /> : <PanelSkeleton />}
      </Sheet>
    )
  }
  const own = { entity: shownEntity, columns: columns.data.data, onClose }
  if (isCreating && mayWrite) return <RecordForm {...own} record={null} />
  if (peeked) {
    const query = Object.entries(peeked.values).map(([field, value]) => ({
      field,
      operator: 'eq',
      value,
    }))
    return <RecordView {...own} key={JSON.stringify(peeked)} query={query} readOnly link />
  }
  if (!record) return null
  const query = queryOfIds(keysOf(own.columns), [record])
  return (
    <RecordView
      {...own}
      key={record}
      query={query}
      readOnly={system}
      neighbours={around(rows, record)}
    />
  )
}

const keysOf = (columns: ColumnDescription[]) =>
  columns.filter(({ key }) => key).map(({ name }) => name)

function around(rows: readonly EntityRecord[], id: string) {
  const index = rows.findIndex(({ persistenceId }) => persistenceId === id)
  if (index < 0) return {}
  return { before: rows[index - 1]?.persistenceId, after: rows[index + 1]?.persistenceId }
}
