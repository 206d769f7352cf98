'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { BanIcon, DownloadIcon, FileDownIcon, Trash2Icon } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { Column } from '@/components/data-table/column'
import { column, timeColumn } from '@/components/lists/columns'
import { defineList, type Panel } from '@/components/lists/define-list'
import { TimeLeft } from '@/components/trash/time-left'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { buttonClass, IconButton } from '@/components/ui/button'
import { formatCount } from '@/components/ui/number'
import { Status, type Tone } from '@/components/ui/status'
import { toast } from '@/components/ui/toast'
import type { BackgroundExport } from '@/lib/export/contract'
import { formatBytes } from '@/lib/values/format-bytes'
import { cancelExport, exportsOptions, fileHref, isPreparing, removeExport } from './export-queries'

const COLUMNS: Column<BackgroundExport>[] = [
  column(
    'fileName',
    'File',
    220,
    ({ fileName }) => <span className="font-medium">{fileName}</span>,
    { fixed: true },
  ),
  column('status', 'Status', 200, (row) => <ExportStatus of={row} />),
  column(
    'records',
    'Records',
    160,
    ({ doneRows, totalRows, status }) =>
      status === 'READY' || totalRows === null
        ? formatCount(doneRows)
        : `${formatCount(doneRows)} of ${formatCount(totalRows)}`,
    { align: 'end' },
  ),
  column('bytes', 'Size', 104, ({ bytes }) => (bytes > 0 ? formatBytes(bytes) : '—'), {
    align: 'end',
  }),
  timeColumn('createdAt', 'Requested', { width: 172 }),
  column('expiresAt', 'Time left', 132, ({ expiresAt }) => <TimeLeft until={expiresAt} />),
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

type Props = { of: BackgroundExport; onRemove: (row: BackgroundExport) => void }

/** What can be done with an export: get its file, stop it, delete it. */
function ExportActions({ of: row, onRemove }: Props) {
  const { id, status, fileName } = row
  const cancellation = useMutation({
    mutationFn: () => cancelExport(id),
    onError: (error) => toast.error(error.message),
  })
  if (isPreparing(row))
    return (
      <IconButton
        icon={BanIcon}
        busy={cancellation.isPending}
        label={`Cancel ${fileName}`}
        title="Cancel"
        onClick={() => cancellation.mutate()}
      />
    )
  return (
    <span className="flex">
      {status === 'READY' && (
        <a
          href={fileHref(id)}
          download={fileName}
          aria-label={`Download ${fileName}`}
          title="Download"
          className={buttonClass({ variant: 'ghost', size: 'icon-sm' })}
        >
          <DownloadIcon aria-hidden />
        </a>
      )}
      <IconButton
        icon={Trash2Icon}
        label={`Delete ${fileName}`}
        title="Delete"
        onClick={() => onRemove(row)}
      />
    </span>
  )
}

const LOOKS: Record<BackgroundExport['status'], { tone: Tone; label: string }> = {
  WAITING: { tone: 'neutral', label: 'Waiting' },
  RUNNING: { tone: 'progress', label: 'Preparing' },
  READY: { tone: 'success', label: 'Ready' },
  FAILED: { tone: 'destructive', label: 'Failed' },
  CANCELLED: { tone: 'neutral', label: 'Cancelled' },
}

/** Where an export is, and why it failed. */
function ExportStatus({ of: { status, error } }: { of: BackgroundExport }) {
  const { tone, label } = LOOKS[status]
  return (
    <span className="flex min-w-0 items-center gap-2" title={error ?? undefined}>
      <Status tone={tone}>{label}</Status>
      {error && <span className="truncate text-xs text-muted-foreground">{error}</span>}
    </span>
  )
}

type RemoveExportProps = { of: BackgroundExport; onClose: () => void }

/** Asks before an export is deleted with its file. */
function RemoveExport({ of: { id, fileName }, onClose }: RemoveExportProps) {
  const removal = useMutation({ mutationFn: () => removeExport(id), onSuccess: onClose })
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete ${fileName}?`}
      description="The file is deleted for good. The records stay as they are, and you can export them again."
      confirmLabel="Delete the file"
      attempt={removal}
      onConfirm={() => removal.mutate()}
    />
  )
}
