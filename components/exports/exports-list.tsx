'use client'
import { useQuery } from '@tanstack/react-query'
import { FileDownIcon } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { Column } from '@/components/data-table/column'
import { defineList, type Panel } from '@/components/lists/define-list'
import { TimeLeft } from '@/components/trash/time-left'
import { formatCount } from '@/components/ui/number'
import { Time } from '@/components/ui/time'
import type { BackgroundExport } from '@/lib/export/contract'
import { formatBytes } from '@/lib/values/format-bytes'
import { ExportActions } from './export-actions'
import { exportsOptions } from './export-queries'
import { ExportStatus } from './export-status'
import { RemoveExport } from './remove-export'

const COLUMNS: Column<BackgroundExport>[] = [
  {
    id: 'fileName',
    header: 'File',
    fixed: true,
    sortable: false,
    width: 220,
    cell: ({ fileName }) => <span className="font-medium">{fileName}</span>,
  },
  {
    id: 'status',
    header: 'Status',
    sortable: false,
    width: 200,
    cell: (row) => <ExportStatus of={row} />,
  },
  {
    id: 'records',
    header: 'Records',
    align: 'end',
    sortable: false,
    width: 160,
    cell: ({ doneRows, totalRows, status }) =>
      status === 'READY' || totalRows === null
        ? formatCount(doneRows)
        : `${formatCount(doneRows)} of ${formatCount(totalRows)}`,
  },
  {
    id: 'bytes',
    header: 'Size',
    align: 'end',
    sortable: false,
    width: 104,
    cell: ({ bytes }) => (bytes > 0 ? formatBytes(bytes) : '—'),
  },
  {
    id: 'createdAt',
    header: 'Requested',
    sortable: false,
    width: 172,
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  {
    id: 'expiresAt',
    header: 'Time left',
    sortable: false,
    width: 132,
    cell: ({ expiresAt }) => <TimeLeft until={expiresAt} />,
  },
]

function usePanel(): Panel<BackgroundExport> {
  const [removing, setRemoving] = useState<BackgroundExport | null>(null)
  return {
    rowActions: useCallback((row) => <ExportActions of={row} onRemove={setRemoving} />, []),
    panel: removing && <RemoveExport of={removing} onClose={() => setRemoving(null)} />,
  }
}

/** The viewer's exports in the background, the newest first. */
export const ExportsList = defineList<BackgroundExport>({
  label: 'Exports',
  layoutKey: 'exports',
  page: {
    title: 'Exports',
    description:
      'Files of more than 100,000 records, prepared in the background. Only you see yours.',
  },
  useRows: () => useQuery(exportsOptions),
  columns: COLUMNS,
  rowId: ({ id }) => id,
  rowName: ({ fileName, createdAt }) => `${fileName}, requested ${createdAt}`,
  usePanel,
  empty: {
    icon: FileDownIcon,
    title: 'No exports',
    text: 'Export an entity with more than 100,000 records: its file is prepared here and stays for 7 days.',
  },
})
