'use client'
import { useQuery } from '@tanstack/react-query'
import { DatabaseIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useSearchParams } from 'next/navigation'
import { useMemo } from 'react'
import { DataTable } from '@/components/data-table/data-table'
import { FilterChips } from '@/components/data-table/filter/filter-bar'
import { ListMemory, useResumedList } from '@/components/data-table/list-memory'
import { Pager } from '@/components/data-table/pager'
import { type ListState, useListState } from '@/components/data-table/use-list-state'
import { useRowSelection } from '@/components/data-table/use-row-selection'
import { useCan } from '@/components/shell/viewer'
import { EmptyState, ErrorState } from '@/components/ui/state'
import { useSearch } from '@/lib/query/search'
import { BrowserHeader } from './browser-header'
import { BrowserToolbar } from './browser-toolbar'
import { CellMenu } from './cell-menu'
import { decimalPlaces } from './decimal-places'
import { toTableColumns } from './entity-columns'
import { columnsOptions, countOptions } from './entity-queries'
import { matchQuery, pageSearch } from './entity-search'
import { SelectionBar } from './selection-bar'
import type { ColumnDescription, EntityRecord } from './types'
import { useFilterFields } from './use-filter-fields'
import { usePanel } from './use-panel'
import { paramsOf, viewsOptions } from './view-queries'

const RecordPanel = dynamic(() => import('./record-panel'), { ssr: false })

/** The records of one entity: seen, searched, opened, changed. */
export function EntityBrowser({ entity, system }: { entity: string; system: boolean }) {
  const columns = useQuery(columnsOptions(entity))
  if (columns.error) return <ErrorState error={columns.error} onRetry={() => columns.refetch()} />
  return (
    <ListMemory value={layoutKey(entity)}>
      <Loaded key={entity} entity={entity} system={system} columns={columns.data?.data ?? []} />
    </ListMemory>
  )
}

const layoutKey = (entity: string) => `entity:${entity}`

type Props = { entity: string; system: boolean; columns: ColumnDescription[] }

function Loaded({ entity, system, columns }: Props) {
  const list = useResumed(entity)
  const panel = usePanel()
  const response = useSearch<EntityRecord>(entity, pageSearch(columns, list))
  const rows = useMemo(() => response.data?.data ?? [], [response.data])
  const query = matchQuery(columns, list)
  const total = useTotal(entity, query, response.data)
  const selection = useRowSelection(useMemo(() => rows.map(idOf), [rows]))
  // As text, since rows are rendered again with new columns only.
  const places = JSON.stringify(decimalPlaces(columns, rows))
  const tableColumns = useMemo(() => toTableColumns(columns, JSON.parse(places)), [columns, places])
  const fields = useFilterFields(columns)
  const mayWrite = useCan({ entity, action: 'write' }) && !system
  const mayDelete = useCan({ entity, action: 'delete' }) && !system
  const view = { entity, columns, list, query, total: total.value }
  return (
    <>
      <BrowserHeader {...view} mayWrite={mayWrite} onCreate={panel.create} />
      {selection.allMatching || selection.ids.size > 0 ? (
        <SelectionBar {...view} selection={selection} shown={rows.length} mayDelete={mayDelete} />
      ) : (
        <BrowserToolbar {...view} tableColumns={tableColumns} fields={fields} />
      )}
      <FilterChips fields={fields} list={list} error={response.error} />
      <CellMenu list={list} columns={columns} rows={rows}>
        <DataTable
          label={`Records of ${entity}`}
          layoutKey={layoutKey(entity)}
          columns={tableColumns}
          rows={rows}
          rowId={idOf}
          list={list}
          loading={response}
          selection={selection}
          onOpen={(record) => panel.open(record.persistenceId)}
          onEdit={mayWrite ? (record) => panel.openToEdit(record.persistenceId) : undefined}
          empty={
            <EmptyState icon={DatabaseIcon} title="No records yet">
              {mayWrite
                ? 'Create one here, or send some to the API.'
                : 'They appear here once somebody who may create them does so.'}
            </EmptyState>
          }
        />
      </CellMenu>
      <Pager list={list} total={total.value} isEstimate={total.isEstimate} shown={rows.length} />
      {(panel.record || panel.peeked || (panel.isCreating && mayWrite)) && (
        <RecordPanel entity={entity} system={system} rows={rows} />
      )}
    </>
  )
}

/** The list as it was left, else in the view that the entity opens with. */
function useResumed(entity: string): ListState {
  const list = useListState()
  const { cols, savedView, resume } = list
  const opening = useQuery(viewsOptions(entity)).data?.data.find(({ opens }) => opens)
  useResumedList(layoutKey(entity), {
    isBare: useSearchParams().size === 0,
    cols,
    hasView: Boolean(savedView),
    resume,
    initially: opening && paramsOf(opening),
  })
  return list
}

const idOf = ({ persistenceId }: EntityRecord) => persistenceId

type PageResponse = { meta: Record<string, unknown>; pagination?: { total: number | null } }

/** The total: at once as the planner estimates it, then counted. */
function useTotal(entity: string, query: ReturnType<typeof matchQuery>, response?: PageResponse) {
  const isEstimate = response?.meta.count === 'estimated'
  const exact = useQuery({ ...countOptions(entity, query), enabled: isEstimate })
  if (isEstimate && exact.data !== undefined) return { value: exact.data, isEstimate: false }
  return { value: response?.pagination?.total ?? null, isEstimate }
}
