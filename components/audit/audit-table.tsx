'use client'
import { ScrollTextIcon } from 'lucide-react'
import { useMemo, useState } from 'react'
import { DataList } from '@/components/data-table/data-list'
import { useList } from '@/components/data-table/use-list'
import { EmptyState } from '@/components/ui/state'
import { auditColumns } from './audit-columns'
import { AuditPanel } from './audit-panel'
import { AUDIT_FIELDS, type AuditRow, auditSearch } from './audit-search'
import { useObjectNames } from './object-names'

/** Everything that was changed, the latest first. */
export function AuditTable() {
  const [opened, setOpened] = useState<AuditRow | null>(null)
  const from = useList<AuditRow>('EngineAuditLog', auditSearch)
  const nameOf = useObjectNames(from.rows)
  const columns = useMemo(() => auditColumns(setOpened, nameOf), [nameOf])
  return (
    <>
      <DataList
        label="Audit log"
        layoutKey="audit"
        searchLabel="Search by action, person or object"
        from={from}
        columns={columns}
        fields={AUDIT_FIELDS}
        rowId={({ id }) => String(id)}
        rowName={({ action, id }) => `${action} ${id}`}
        onOpen={setOpened}
        empty={
          <EmptyState icon={ScrollTextIcon} title="Nothing has been changed yet">
            Every change is listed here: who made it, what it was, and to which object.
          </EmptyState>
        }
      />
      <AuditPanel row={opened} onClose={() => setOpened(null)} />
    </>
  )
}
