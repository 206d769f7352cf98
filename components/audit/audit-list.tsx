'use client'

import { ScrollTextIcon } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Column } from '@/components/data-table/column'
import type { FilterField } from '@/components/data-table/filter/field'
import { column, timeColumn } from '@/components/lists/columns'
import { defineList, type Panel } from '@/components/lists/define-list'
import { CodeBlock } from '@/components/ui/code-block'
import { CopyButton } from '@/components/ui/copy-button'
import { Facts } from '@/components/ui/facts'
import { Link } from '@/components/ui/link'
import { Sheet } from '@/components/ui/sheet'
import { Badge } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import { exactJsonText } from '@/lib/values/exact-json'
import { ACTION_CODES, countIn, eventWords, mailWords, trashedIn } from './action-words'
import { AuditActor } from './audit-actor'
import { type AuditRow, auditQuery } from './audit-search'
import { ObjectName, useObjectNames } from './object-names'

const FILTERS: FilterField[] = [
  {
    ...{ name: 'action', label: 'Action', kind: 'text', enum: ACTION_CODES },
    words: (action) => eventWords({ action, details: null }),
  },
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
      {eventWords(row)}
      {count && <span className="tabular text-muted-foreground"> · {count}</span>}
    </span>
  )
}

const columns = (nameOf: ReturnType<typeof useObjectNames>): Column<AuditRow>[] => [
  column('action', 'Action', 240, (row) => <Action row={row} />, { fixed: true, opens: true }),
  column('actorName', 'By', 210, (row) => <AuditActor {...row} />),
  column('objectType', 'Object type', 150, ({ objectType }) => <Badge>{objectType}</Badge>),
  column('objectId', 'Object', 250, (row) => <ObjectName object={nameOf(row)} />),
  timeColumn('createdAt', 'When'),
  column('address', 'Address', 130),
  column(
    'requestId',
    'Request',
    280,
    ({ requestId }) => <span className="font-mono text-xs">{requestId ?? '—'}</span>,
    { hidden: true },
  ),
]

function useColumns(rows: readonly AuditRow[]) {
  const nameOf = useObjectNames(rows)
  return useMemo(() => columns(nameOf), [nameOf])
}

function usePanel(): Panel<AuditRow> {
  const [row, open] = useState<AuditRow | null>(null)
  return { open, panel: row && <AuditPanel row={row} onClose={() => open(null)} /> }
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
  rowName: (row) => `${eventWords(row)}, entry ${row.id}`,
  usePanel,
  empty: {
    icon: ScrollTextIcon,
    title: 'Nothing has been changed yet',
    text: 'Every change is listed here: who made it, what it was, and to which object.',
  },
})

/** One entry of the audit log with all its details. */
function AuditPanel({ row, onClose }: { row: AuditRow; onClose: () => void }) {
  return (
    <Sheet onClose={onClose} title={eventWords(row)} description={`Entry ${row.id}`}>
      <Entry {...row} />
    </Sheet>
  )
}

function Entry(row: AuditRow) {
  const { action, createdAt, objectType, objectId, address, requestId, details } = row
  const mail = mailWords(details)
  const batchId = trashedIn(row)
  return (
    <div className="grid gap-5 p-4">
      <Facts
        facts={[
          { label: 'Action', value: <code className="font-mono text-xs">{action}</code> },
          countIn(row) !== '' && { label: 'Number', value: countIn(row) },
          { label: 'When', value: <Time value={createdAt} /> },
          { label: 'By', value: <AuditActor {...row} /> },
          { label: 'Address', value: address },
          { label: 'Object type', value: objectType },
          { label: 'Object id', value: <Copyable text={objectId} label="Copy the object's id" /> },
          mail ? { label: 'Mail', value: mail } : null,
          batchId ? { label: 'Undo', value: <TrashLink batchId={batchId} /> } : null,
          { label: 'Request', value: <Copyable text={requestId} label="Copy the request id" /> },
        ]}
      />
      <section aria-labelledby="audit-details" className="grid gap-2">
        <h3 id="audit-details" className="font-medium">
          Details
        </h3>
        <CodeBlock label="the details" code={exactJsonText(details, 2)} wrap />
      </section>
    </div>
  )
}

const TrashLink = ({ batchId }: { batchId: string }) => (
  <Link href={`/trash?batch=${batchId}`} className="text-primary hover:underline">
    Look inside or restore
  </Link>
)

function Copyable({ text, label }: { text: string | null; label: string }) {
  if (text === null) return '—'
  return (
    <span className="flex items-center gap-1">
      <span className="min-w-0 font-mono text-xs break-all">{text}</span>
      <CopyButton text={text} label={label} />
    </span>
  )
}
