'use client'

import { useQuery } from '@tanstack/react-query'
import { DatabaseIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useSearchParams } from 'next/navigation'
import { useEffect, useMemo, useState } from 'react'
import type { Condition } from '@/components/data-table/filter/condition'
import { FilterChips } from '@/components/data-table/filter/filter-bar'
import {
  filterText,
  ListMemory,
  useListMemory,
  useResumedList,
} from '@/components/data-table/list-memory'
import { Pager } from '@/components/data-table/pager'
import { type ListState, useListState } from '@/components/data-table/use-list-state'
import { useRowSelection } from '@/components/data-table/use-row-selection'
import { useShownImport } from '@/components/imports/import-files'
import { useIsLive } from '@/components/live/use-is-live'
import { useOwnCrumb } from '@/components/shell/crumb'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { EmptyState, ErrorState } from '@/components/ui/state'
import type { EntityDisplay } from '@/lib/definitions/display'
import { ApiError } from '@/lib/http/client'
import { wasFetchedAhead } from '@/lib/http/fetched-ahead'
import { useSearch } from '@/lib/query/search'
import { BrowserHeader, BrowserToolbar } from './browser-header'
import { displayQuery, displaySearch } from './displays/display-search'
import { displayOf } from './displays/supported'
import { columnsOptions, countOptions, refreshPage } from './entity-queries'
import { matchQuery } from './entity-search'
import { numberLooks } from './number-looks'
import { RecordsTable, toTableColumns } from './records-table'
import { type Relation, relationsOf } from './relations'
import type { ColumnDescription, EntityRecord } from './types'
import { CorrectedNotice, correctedOf, useCorrection } from './use-correction'
import { useFilterFields } from './use-filter-fields'
import { usePanel } from './use-panel'
import { useRelatedColumns } from './use-related-columns'
import { paramsOf, viewsOptions } from './view-queries'

const OtherDisplay = dynamic(() => import('./displays/other-display'), { ssr: false })
const ImportDialog = dynamic(() => import('@/components/imports/import-dialog'), { ssr: false })
const LiveRecords = dynamic(() => import('@/components/live/live-records'), { ssr: false })
const RecordPanel = dynamic(() => import('./record-panel'), { ssr: false })
const SelectionBar = dynamic(() => import('./selection-bar'), {
  ssr: false,
  loading: () => <div className="min-h-7" />,
})

type BrowserProps = { entity: string; label?: string; system: boolean }

/** The records of one entity: seen, searched, opened, changed. */
export function EntityBrowser({ entity, label, system }: BrowserProps) {
  useOwnCrumb(label)
  const columns = useQuery(columnsOptions(entity))
  const relations = useMemo(() => relationsOf(columns.data), [columns.data])
  if (isRefusal(columns.error) || (columns.error && !columns.data))
    return <ErrorState of={columns} />
  return (
    <ListMemory value={layoutKey(entity)}>
      <Loaded
        key={entity}
        {...{ entity, label, system }}
        columns={columns.data?.data ?? []}
        relations={relations}
        opensAs={columns.data?.meta.display as EntityDisplay | undefined}
      />
    </ListMemory>
  )
}

const layoutKey = (entity: string) => `entity:${entity}`

type Props = BrowserProps & {
  columns: ColumnDescription[]
  relations: readonly Relation[]
  opensAs?: EntityDisplay
}

function Loaded({ entity, label, system, columns, relations, opensAs }: Props) {
  const { list, isResumed } = useResumed(entity, opensAs)
  useEffect(() => {
    if (wasFetchedAhead(`/entities/${encodeURIComponent(entity)}`)) void refreshPage(entity)
  }, [entity])
  const panel = usePanel()
  const correction = useCorrection(list.q)
  const { related, isPending } = useRelatedColumns(columns, relations, list.cols)
  const all = useMemo(() => [...columns, ...related], [columns, related])
  const search = correction.ask(displaySearch(columns, list, related))
  const response = useSearch<EntityRecord>(entity, search, { enabled: !isPending })
  const { data, error } = response
  const rows = useMemo(() => shownRows(data, error), [data, error])
  // What is done with all that is shown is done with what was searched for.
  const corrected = correctedOf(response)
  const meant = corrected === null ? list : { ...list, q: corrected }
  const query = displayQuery(columns, meant)
  const display = displayOf(columns, list)
  const total = useTotal(entity, query, response.data)
  const selection = useRowSelection(useMemo(() => rows.map(idOf), [rows]))
  // As text, since rows are rendered again with new columns only.
  const looks = JSON.stringify(numberLooks(all, rows))
  const tableColumns = useMemo(
    () => toTableColumns(all, JSON.parse(looks), list.filter),
    [all, looks, list.filter],
  )
  const fields = useFilterFields(columns, relations)
  const mayWrite = useCan({ entity, action: 'write' }) && !system
  const mayUpdate = useCan({ entity, action: 'update' }) && !system
  const mayImport = mayWrite || mayUpdate
  const [importId] = useShownImport()
  const mayDelete = useCan({ entity, action: 'delete' }) && !system
  const isLive = useIsLive(entity)
  const [deleted, setDeleted] = useState(NONE)
  const view = { entity, columns, related, list, query, total: total.value }
  const isPaged = display === 'table' || display === 'cards'
  // What is exported from the header is all that matches, whatever part of it is shown.
  const whole = { ...view, query: matchQuery(columns, meant), total: isPaged ? total.value : null }
  const empty = <NoRecords mayWrite={mayWrite} />
  return (
    <>
      <BrowserHeader {...{ ...whole, label, mayWrite, mayImport }} onCreate={panel.create} />
      {selection.allMatching || selection.ids.size > 0 ? (
        <SelectionBar {...{ ...view, selection, mayUpdate, mayDelete }} shown={rows.length} />
      ) : (
        <BrowserToolbar {...{ ...whole, tableColumns, fields, mayUpdate }} />
      )}
      <FilterChips fields={fields} list={list} error={response.error} />
      {corrected !== null && (
        <CorrectedNotice
          {...{ corrected }}
          typed={list.q.trim()}
          onAsTyped={correction.searchAsTyped}
        />
      )}
      {isResumed && <ResumedNotice onClear={list.clear} />}
      {display === 'table' ? (
        <RecordsTable
          {...{ entity, tableColumns, rows, list, selection, mayUpdate, deleted, empty }}
          columns={all}
          layoutKey={layoutKey(entity)}
          loading={response}
          openId={panel.record}
          onOpen={panel.open}
          onEdit={mayWrite ? panel.openToEdit : undefined}
        />
      ) : (
        <OtherDisplay
          {...view}
          display={display}
          rows={rows}
          loading={response}
          selection={selection}
          onOpen={panel.open}
          onEdit={mayWrite ? panel.openToEdit : undefined}
          empty={empty}
        />
      )}
      {isLive && (
        <LiveRecords
          {...{ entity, columns, search, query, rows }}
          isFetching={response.isFetching}
          onDeleted={setDeleted}
        />
      )}
      {isPaged && (
        <Pager list={list} total={total.value} isEstimate={total.isEstimate} shown={rows.length} />
      )}
      {(panel.record || panel.peeked || (panel.isCreating && mayWrite)) && (
        <RecordPanel entity={entity} system={system} rows={rows} />
      )}
      {importId && mayImport && <ImportDialog entity={entity} id={importId} />}
    </>
  )
}

/** The filter is none that was asked for now. */
const ResumedNotice = ({ onClear }: { onClear: () => void }) => (
  <p role="status" className="flex flex-wrap items-center gap-x-2 text-xs text-muted-foreground">
    Filtered as you left it.
    <Button size="sm" variant="ghost" className="h-6" onClick={onClear}>
      Show all records
    </Button>
  </p>
)

const NoRecords = ({ mayWrite }: { mayWrite: boolean }) => (
  <EmptyState icon={DatabaseIcon} title="No records yet">
    {mayWrite
      ? 'Create one here, drop a file to import, or send some to the API.'
      : 'They appear here once somebody who may create them does so.'}
  </EmptyState>
)

const NONE: ReadonlySet<string> = new Set()

const idOf = ({ persistenceId }: EntityRecord) => persistenceId

/** The list as it was left, else in the view that the entity opens with, else in the form of its definition. */
function useResumed(
  entity: string,
  opensAs: EntityDisplay = {},
): { list: ListState; isResumed: boolean } {
  const list = useListState()
  const { cols, savedView, resume } = list
  const opening = useQuery(viewsOptions(entity)).data?.data.find(({ opens }) => opens)
  const resumed = useResumedList(useListMemory() ?? '', {
    isBare: useSearchParams().size === 0,
    cols,
    hasView: Boolean(savedView),
    resume,
    initially: opening ? paramsOf(opening) : opensAs.form && { display: opensAs.form },
  })
  return { list, isResumed: list.filtered && filterText(list) === resumed }
}

/** None once the server refuses them: whoever may no longer read them keeps none on the screen. */
const shownRows = (data: { data: EntityRecord[] } | undefined, error: Error | null) =>
  isRefusal(error) ? [] : (data?.data ?? [])

const isRefusal = (error: Error | null) =>
  error instanceof ApiError && [403, 404].includes(error.status)

type PageResponse = { meta: Record<string, unknown>; pagination?: { total: number | null } }

/** The total: at once as the planner estimates it, then counted. */
function useTotal(entity: string, query: readonly Condition[], response?: PageResponse) {
  const isEstimate = response?.meta.count === 'estimated'
  const exact = useQuery({ ...countOptions(entity, query), enabled: isEstimate })
  if (isEstimate && exact.data !== undefined) return { value: exact.data, isEstimate: false }
  return { value: response?.pagination?.total ?? null, isEstimate }
}
