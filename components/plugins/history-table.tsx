'use client'
import { HistoryIcon } from 'lucide-react'
import { useRouter } from 'next/navigation'
import type { Column } from '@/components/data-table/column'
import { DataList } from '@/components/data-table/data-list'
import { useList } from '@/components/data-table/use-list'
import { Link } from '@/components/ui/link'
import { formatCount, formatDuration } from '@/components/ui/number'
import { EmptyState } from '@/components/ui/state'
import { Time } from '@/components/ui/time'
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
  { id: 'id', header: 'No.', align: 'end', width: 72, cell: ({ id }) => id },
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

const OF_PLUGIN = COLUMNS.filter(({ id }) => id !== 'installedBy')

/** Installs, the latest first; of one plugin when `pluginId` is given. */
export function HistoryTable({ pluginId }: { pluginId?: string }) {
  const router = useRouter()
  const from = useList<History>('EnginePluginHistory', (params) => historySearch(params, pluginId))
  const columns = pluginId ? OF_PLUGIN : COLUMNS
  return (
    <DataList
      label="Installs"
      layoutKey="history"
      searchLabel="Search by plugin, archive or person"
      from={from}
      columns={columns}
      fields={HISTORY_FIELDS}
      rowId={({ id }) => String(id)}
      rowName={({ source }) => source}
      onOpen={({ id }) => router.push(`/plugins/history/${id}`)}
      empty={
        <EmptyState icon={HistoryIcon} title="Nothing has been installed yet">
          Every install is listed here with what became of each file.
        </EmptyState>
      }
    />
  )
}
