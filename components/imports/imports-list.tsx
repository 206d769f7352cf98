'use client'

import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { BanIcon, DownloadIcon, FileUpIcon, Trash2Icon } from 'lucide-react'
import { useCallback } from 'react'
import type { Column } from '@/components/data-table/column'
import { column, countColumn, timeColumn } from '@/components/lists/columns'
import { defineList, type Panel } from '@/components/lists/define-list'
import { TimeLeft } from '@/components/trash/time-left'
import { buttonClass, IconButton } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { countOf } from '@/components/ui/number'
import { Status, type Tone } from '@/components/ui/status'
import { toast } from '@/components/ui/toast'
import { type ApiResponse, api } from '@/lib/http/client'
import type { Import } from '@/lib/import/contract'
import { IMPORTS } from '@/lib/query/keys'
import { refreshAfterImport } from './announce-import'
import { isOver } from './import-item'
import { dropImport, refusedHref, stopImport } from './import-requests'
import { importHref } from './import-tasks'
import { UndoImport } from './undo-import'

const COLUMNS: Column<Import>[] = [
  column(
    'fileName',
    'File',
    220,
    ({ id, entity, fileName }) => (
      <Link href={importHref(entity, id)} className="rounded font-medium hover:underline">
        {fileName}
      </Link>
    ),
    { fixed: true },
  ),
  column('entity', 'Entity', 140),
  column('status', 'Status', 200, (row) => <ImportStatus of={row} />),
  countColumn('created', 'Created', 104),
  countColumn('updated', 'Updated', 104),
  countColumn('refused', 'Refused', 104),
  column('createdBy', 'By', 180),
  timeColumn('createdAt', 'Started', { width: 172 }),
  column('expiresAt', 'Time left', 132, ({ expiresAt }) => <TimeLeft until={expiresAt} />),
]

/** For three buttons. */
const ACTIONS_WIDTH = 108

const usePanel = (): Panel<Import> => ({
  rowActions: useCallback((row) => <RowActions of={row} />, []),
})

/** The viewer's imports, the newest first. */
export const ImportsList = defineList<Import>({
  label: 'Imports',
  layoutKey: 'imports',
  page: {
    title: 'Imports',
    description:
      'Files that became records. Those that run and the last 50 are listed for 7 days, with the rows that were refused. Only you see yours.',
  },
  useRows: () => useQuery(importsOptions),
  columns: COLUMNS,
  rowId: ({ id }) => id,
  rowName: ({ fileName, createdAt }) => `${fileName}, started ${createdAt}`,
  usePanel,
  actionsWidth: ACTIONS_WIDTH,
  empty: {
    icon: FileUpIcon,
    title: 'No imports',
    text: 'Drop a CSV, XLSX, JSON or JSON Lines file on the page of an entity.',
  },
})

const LOOKS: Record<Import['status'], { tone: Tone; label: string }> = {
  WAITING: { tone: 'neutral', label: 'Waiting' },
  RUNNING: { tone: 'progress', label: 'Running' },
  DONE: { tone: 'success', label: 'Imported' },
  FAILED: { tone: 'destructive', label: 'Failed' },
  CANCELLED: { tone: 'neutral', label: 'Cancelled' },
  UNDONE: { tone: 'neutral', label: 'Undone' },
}

/** Where an import is, and why it failed. */
function ImportStatus({ of: row }: { of: Import }) {
  const { status, error, refused, dryRun } = row
  const isPart = status === 'DONE' && refused > 0
  const { tone, label } = LOOKS[status]
  return (
    <span className="flex min-w-0 items-center gap-2" title={error ?? undefined}>
      <Status tone={isPart ? 'warning' : tone}>
        {dryRun && status === 'DONE' ? 'Checked' : isPart ? 'Imported in part' : label}
      </Status>
      {status === 'RUNNING' && <span className="tabular text-xs">{partOf(row)}</span>}
      {error && <span className="truncate text-xs text-muted-foreground">{error}</span>}
    </span>
  )
}

/** `40 %, 1,200 rows` */
const partOf = ({ doneBytes, totalBytes, doneRows }: Import): string =>
  [
    ...(totalBytes > 0 ? [`${Math.floor((100 * doneBytes) / totalBytes)} %`] : []),
    countOf(doneRows, 'row'),
  ].join(', ')

/** What can be done with an import of the list: stop it, get its refused rows, take it off. */
function RowActions({ of: row }: { of: Import }) {
  const { id, fileName, refusedRows } = row
  const isRunning = !isOver(row)
  const act = useMutation({
    mutationFn: () => (isRunning ? cancelListed(id) : removeListed(id)),
    onError: (error) => toast.error(error.message),
  })
  const [Icon, verb] = isRunning ? [BanIcon, 'Cancel'] : [Trash2Icon, 'Remove from the list:']
  return (
    <span className="flex justify-end">
      <UndoImport of={row} iconOnly />
      {refusedRows > 0 && (
        <a
          href={refusedHref(id)}
          download
          aria-label={`Download the refused rows of ${fileName}`}
          title="Download the refused rows"
          className={buttonClass({ variant: 'ghost', size: 'icon-sm' })}
        >
          <DownloadIcon aria-hidden />
        </a>
      )}
      <IconButton
        icon={Icon}
        busy={act.isPending}
        label={`${verb} ${fileName}`}
        title={isRunning ? 'Cancel' : 'Remove from the list; the records stay'}
        onClick={() => act.mutate()}
      />
    </span>
  )
}

const POLL_MS = 2_000

/** The caller's imports, a single page, the newest first; dry runs are steps of an import, and left out. */
const importsOptions = queryOptions({
  queryKey: IMPORTS.key,
  queryFn: ({ signal }) => api<Import>(IMPORTS.path, { signal }),
  select: asPage,
  refetchInterval: ({ state }) => (state.data?.data.every(isOver) ? false : POLL_MS),
})

function asPage(response: ApiResponse<Import>): ApiResponse<Import> {
  const data = response.data.filter(({ dryRun }) => !dryRun)
  const total = data.length
  return { ...response, data, pagination: { current: 0, total, pages: 1, first: true, last: true } }
}

async function cancelListed(id: string): Promise<void> {
  await stopImport(id)
  await refreshAfterImport()
}

/** Takes an import that is over off the list, with its refused rows. */
async function removeListed(id: string): Promise<void> {
  await dropImport(id)
  await refreshAfterImport()
}
