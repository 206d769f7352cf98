'use client'
import { HistoryIcon } from 'lucide-react'
import type { Column } from '@/components/data-table/column'
import type { FilterField } from '@/components/data-table/filter/field'
import { column, countColumn, timeColumn } from '@/components/lists/columns'
import { defineList } from '@/components/lists/define-list'
import { formatCount, formatDuration } from '@/components/ui/number'
import { InstallStatus, OutcomeBar } from './install-status'
import { type History, historyQuery } from './searches'

const FILTERS: FilterField[] = [
  {
    name: 'status',
    label: 'Status',
    kind: 'text',
    enum: ['IN_PROGRESS', 'SUCCESS', 'PARTIAL', 'FAILED'],
  },
  {
    name: 'kind',
    label: 'Kind',
    kind: 'text',
    enum: ['install', 'rollback', 'uninstall', 'restore'],
  },
  { name: 'id', label: 'Number', kind: 'integer' },
  { name: 'pluginName', label: 'Plugin', kind: 'text' },
  { name: 'pluginId', label: 'Plugin id', kind: 'text' },
  { name: 'version', label: 'Version', kind: 'text' },
  { name: 'startedAt', label: 'Started', kind: 'datetime' },
  { name: 'installedBy', label: 'By', kind: 'text', user: 'email' },
  { name: 'source', label: 'Archive', kind: 'text' },
  { name: 'failedCount', label: 'Failed files', kind: 'integer' },
  { name: 'recordCount', label: 'Records', kind: 'integer' },
  { name: 'durationMs', label: 'Duration in ms', kind: 'integer' },
  { name: 'sha256', label: 'SHA-256', kind: 'text' },
]

const COLUMNS: Column<History>[] = [
  column('pluginName', 'Plugin', 190, ({ pluginName, source }) => pluginName ?? source, {
    fixed: true,
    opens: true,
  }),
  column('status', 'Status', 180, ({ status, kind, cancelledBy, rollbackOf }) => (
    <span className="flex items-center gap-1.5">
      <InstallStatus {...{ status, kind, cancelledBy }} />
      {rollbackOf !== null && (
        <span className="tabular text-xs text-muted-foreground">No. {rollbackOf}</span>
      )}
    </span>
  )),
  column('id', 'No.', 72, null, { align: 'end' }),
  column('version', 'Version', 84),
  column('totalFiles', 'Files', 150, (install) =>
    install.kind !== 'install' ? (
      '—'
    ) : (
      <span className="flex items-center gap-2">
        <OutcomeBar {...install} className="w-16 shrink-0" />
        {formatCount(install.successCount)} of {formatCount(install.totalFiles)}
      </span>
    ),
  ),
  countColumn('recordCount', 'Records', 96),
  timeColumn('startedAt', 'Started'),
  column(
    'durationMs',
    'Duration',
    96,
    ({ durationMs }) => (durationMs === null ? '—' : formatDuration(durationMs)),
    { align: 'end' },
  ),
  column('installedBy', 'By', 160),
  column('source', 'Archive', 200, null, { hidden: true }),
  column('mode', 'Mode', 96, null, { hidden: true }),
  column(
    'sha256',
    'SHA-256',
    200,
    ({ sha256 }) => <span className="font-mono text-xs">{sha256}</span>,
    { hidden: true },
  ),
]

const INSTALLS = {
  label: 'Installs',
  layoutKey: 'history',
  query: historyQuery,
  toolbar: { searchLabel: 'Search by plugin, archive or person', filters: FILTERS },
  rowId: ({ id }: History) => String(id),
  rowName: ({ source }: History) => source,
  href: ({ id }: History) => `/plugins/history/${id}`,
  empty: {
    icon: HistoryIcon,
    title: 'Nothing has been installed yet',
    text: 'Every install is listed here with the result of each file.',
  },
}

/** Installs of all plugins, the latest first. */
export const HistoryList = defineList<History>({
  ...INSTALLS,
  page: {
    title: 'History',
    description: 'Every install with the result of each file, and what else happened to plugins.',
  },
  columns: COLUMNS,
})

/** Without its name, which is that of the page; the version is what opens an entry. */
function ofOnePlugin(columns: readonly Column<History>[]): Column<History>[] {
  const version = columns.filter(({ id }) => id === 'version')
  const rest = columns.filter(({ id }) => !['version', 'pluginName', 'installedBy'].includes(id))
  return [...version.map((one) => ({ ...one, fixed: true, opens: true, width: 110 })), ...rest]
}

const PluginInstalls = defineList<History>({
  ...INSTALLS,
  layoutKey: 'plugin-history',
  columns: ofOnePlugin(COLUMNS),
})

/** Installs of one plugin, on the page of the plugin. */
export const PluginHistory = ({ pluginId }: { pluginId: string }) => (
  <PluginInstalls within={[{ field: 'pluginId', operator: 'eq', value: pluginId }]} />
)
