'use client'
import { ScrollTextIcon } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ColumnsMenu } from '@/components/data-table/columns-menu'
import { DataTable } from '@/components/data-table/data-table'
import { FilterButton, FilterChips } from '@/components/data-table/filter/filter-bar'
import { Pager } from '@/components/data-table/pager'
import { SearchBox } from '@/components/data-table/search-box'
import { useListState } from '@/components/data-table/use-list-state'
import { EmptyState } from '@/components/ui/state'
import { useSearch } from '@/lib/query/search'
import { auditColumns } from './audit-columns'
import { AuditPanel } from './audit-panel'
import { AUDIT_FIELDS, type AuditRow, auditSearch } from './audit-search'

/** Everything that was changed, the latest first. */
export function AuditTable() {
  const list = useListState()
  const [opened, setOpened] = useState<AuditRow | null>(null)
  const columns = useMemo(() => auditColumns(setOpened), [])
  const answer = useSearch<AuditRow>('EngineAuditLog', auditSearch(list))
  const rows = answer.data?.data ?? []
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox list={list} label="Search by action, person or object" />
        <FilterButton fields={AUDIT_FIELDS} list={list} />
        <span className="ml-auto" />
        <ColumnsMenu columns={columns} list={list} layoutKey="audit" />
      </div>
      <FilterChips fields={AUDIT_FIELDS} list={list} />
      <DataTable
        label="Audit log"
        layoutKey="audit"
        columns={columns}
        rows={rows}
        rowId={({ id }) => String(id)}
        rowName={({ action, id }) => `${action} ${id}`}
        list={list}
        loading={answer}
        onOpen={setOpened}
        empty={
          <EmptyState icon={ScrollTextIcon} title="Nothing has been changed yet">
            Every change is listed here: who made it, what it was, and to which object.
          </EmptyState>
        }
      />
      <Pager list={list} total={answer.data?.pagination?.total} shown={rows.length} />
      <AuditPanel row={opened} onClose={() => setOpened(null)} />
    </>
  )
}
