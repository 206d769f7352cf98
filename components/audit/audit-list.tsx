'use client'
import { ScrollTextIcon } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Column } from '@/components/data-table/column'
import type { FilterField } from '@/components/data-table/filter/field'
import { defineList, type Panel } from '@/components/lists/define-list'
import { Badge } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import { ACTION_CODES, countIn, eventWords } from './action-words'
import { AuditActor } from './audit-actor'
import { AuditPanel } from './audit-panel'
import { type AuditRow, auditQuery } from './audit-search'
import { ObjectName } from './object-name'
import { useObjectNames } from './object-names'

const FILTERS: FilterField[] = [
  { name: 'action', label: 'Action', kind: 'text', enum: ACTION_CODES, words: eventWords },
  { name: 'actorName', label: 'By', kind: 'text', user: 'email' },
  {
    name: 'actorType',
    label: 'Kind of actor',
    kind: 'text',
    enum: ['user', 'api_key', 'system', 'anonymous'],
  },
  { name: 'objectType', label: 'Kind of object', kind: 'text' },
  { name: 'objectId', label: 'Object', kind: 'text' },
  { name: 'createdAt', label: 'Time', kind: 'datetime' },
  { name: 'address', label: 'Address', kind: 'text' },
  { name: 'requestId', label: 'Request', kind: 'text' },
]

/** In words; the code, which filters and the API use, on hover. */
function Action({ row }: { row: AuditRow }) {
  const count = countIn(row)
  return (
    <span title={row.action}>
      {eventWords(row.action)}
      {count && <span className="tabular text-muted-foreground"> · {count}</span>}
    </span>
  )
}

const columns = (nameOf: ReturnType<typeof useObjectNames>): Column<AuditRow>[] => [
  {
    id: 'action',
    header: 'Action',
    fixed: true,
    opens: true,
    width: 240,
    cell: (row) => <Action row={row} />,
  },
  { id: 'actorName', header: 'By', width: 210, cell: (row) => <AuditActor {...row} /> },
  {
    id: 'objectType',
    header: 'Object type',
    width: 150,
    cell: ({ objectType }) => <Badge>{objectType}</Badge>,
  },
  {
    id: 'objectId',
    header: 'Object',
    width: 250,
    cell: (row) => <ObjectName object={nameOf(row)} />,
  },
  {
    id: 'createdAt',
    header: 'When',
    width: 165,
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  { id: 'address', header: 'Address', width: 130, cell: ({ address }) => address ?? '—' },
  {
    id: 'requestId',
    header: 'Request',
    width: 280,
    hidden: true,
    cell: ({ requestId }) => <span className="font-mono text-xs">{requestId ?? '—'}</span>,
  },
]

function useColumns(rows: readonly AuditRow[]) {
  const nameOf = useObjectNames(rows)
  return useMemo(() => columns(nameOf), [nameOf])
}

function usePanel(): Panel<AuditRow> {
  const [row, open] = useState<AuditRow | null>(null)
  return { open, panel: <AuditPanel row={row} onClose={() => open(null)} /> }
}

/** Everything that was changed, the latest first. */
export const AuditList = defineList<AuditRow>({
  label: 'Audit log',
  layoutKey: 'audit',
  page: { title: 'Audit', description: 'Every change: who made it, when, and to what.' },
  query: auditQuery,
  toolbar: { searchLabel: 'Search by action, person or object', filters: FILTERS },
  useColumns,
  rowId: ({ id }) => String(id),
  rowName: ({ action, id }) => `${eventWords(action)}, entry ${id}`,
  usePanel,
  empty: {
    icon: ScrollTextIcon,
    title: 'Nothing has been changed yet',
    text: 'Every change is listed here: who made it, what it was, and to which object.',
  },
})
