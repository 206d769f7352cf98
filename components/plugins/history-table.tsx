'use client'
import { HistoryIcon } from 'lucide-react'
import { useRouter } from 'next/navigation'
import type { Column } from '@/components/data-table/column'
import { ColumnsMenu } from '@/components/data-table/columns-menu'
import { DataTable } from '@/components/data-table/data-table'
import { FilterButton, FilterChips } from '@/components/data-table/filter/filter-bar'
import { Pager } from '@/components/data-table/pager'
import { SearchBox } from '@/components/data-table/search-box'
import { useListState } from '@/components/data-table/use-list-state'
import { Link } from '@/components/ui/link'
import { formatCount, formatDuration } from '@/components/ui/number'
import { EmptyState } from '@/components/ui/state'
import { Time } from '@/components/ui/time'
import { useSearch } from '@/lib/query/search'
import { HISTORY_FIELDS, historySearch } from './history-search'
import { InstallStatus } from './install-status'
import { OutcomeBar } from './outcome-bar'
import type { History } from './types'

const COLUMNS: Column<History>[] = [
  {
    id: 'pluginName',
    header: 'Plugin',
    fixed: true,
    width: 190,
    cell: ({ id, pluginName, source }) => (
      <Link href={`/plugins/history/${id}`} className="font-medium hover:underline">
        {pluginName ?? source}
      </Link>
    ),
  },
  { id: 'version', header: 'Version', width: 84, cell: ({ version }) => version ?? '—' },
  {
    id: 'status',
    header: 'Status',
    width: 140,
    cell: ({ status }) => <InstallStatus status={status} />,
  },
  {
    id: 'totalFiles',
    header: 'Files',
    width: 160,
    cell: (install) => (
      <span className="flex items-center gap-2">
        <OutcomeBar {...install} className="w-16 shrink-0" />
        {formatCount(install.successCount)} of {formatCount(install.totalFiles)}
      </span>
    ),
  },
  {
    id: 'recordCount',
    header: 'Records',
    align: 'end',
    width: 96,
    cell: ({ recordCount }) => formatCount(recordCount),
  },
  {
    id: 'startedAt',
    header: 'Started',
    width: 165,
    cell: ({ startedAt }) => <Time value={startedAt} />,
  },
  {
    id: 'durationMs',
    header: 'Duration',
    align: 'end',
    width: 96,
    cell: ({ durationMs }) => (durationMs === null ? '—' : formatDuration(durationMs)),
  },
  { id: 'installedBy', header: 'By', width: 180, cell: ({ installedBy }) => installedBy ?? '—' },
  { id: 'source', header: 'Archive', width: 200, hidden: true, cell: ({ source }) => source },
  { id: 'mode', header: 'Mode', width: 96, hidden: true, cell: ({ mode }) => mode },
  {
    id: 'sha256',
    header: 'SHA-256',
    width: 200,
    hidden: true,
    cell: ({ sha256 }) => <span className="font-mono text-xs">{sha256}</span>,
  },
]

/** Installs, the latest first; of one plugin when `pluginId` is given. */
export function HistoryTable({ pluginId }: { pluginId?: string }) {
  const list = useListState()
  const router = useRouter()
  const answer = useSearch<History>('EnginePluginHistory', historySearch(list, pluginId))
  const rows = answer.data?.data ?? []
  const columns = pluginId ? COLUMNS.filter(({ id }) => id !== 'installedBy') : COLUMNS
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox list={list} label="Search by plugin, archive or person" />
        <FilterButton fields={HISTORY_FIELDS} list={list} />
        <span className="ml-auto" />
        <ColumnsMenu columns={columns} list={list} layoutKey="history" />
      </div>
      <FilterChips fields={HISTORY_FIELDS} list={list} />
      <DataTable
        label="Installs"
        layoutKey="history"
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        rowName={({ source }) => source}
        list={list}
        loading={answer}
        onOpen={({ id }) => router.push(`/plugins/history/${id}`)}
        empty={
          <EmptyState icon={HistoryIcon} title="Nothing has been installed yet">
            Every install is listed here with what became of each file.
          </EmptyState>
        }
      />
      <Pager list={list} total={answer.data?.pagination?.total} shown={rows.length} />
    </>
  )
}
