import { useQuery } from '@tanstack/react-query'
import { FileArchiveIcon, XIcon } from 'lucide-react'
import { useCan } from '@/components/shell/viewer'
import { Button, buttonClass, IconButton } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/notice'
import { countOf, formatDuration } from '@/components/ui/number'
import { Progress } from '@/components/ui/progress'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { Status } from '@/components/ui/status'
import { formatBytes } from '@/lib/values/format-bytes'
import { CancelInstall } from './cancel-install'
import { FileReports } from './file-reports'
import { canInstall, installQueue, isPlanned, type QueueItem } from './install-queue'
import { InstallStatus, OutcomeBar } from './install-status'
import { archiveId } from './plan-offer'
import { PlanView } from './plan-view'
import { logsOptions } from './plugin-queries'
import type { History } from './searches'

/** One archive of the queue. */
export function InstallItem({ item }: { item: QueueItem }) {
  const { id, name, size, preview, install, error } = item
  const title = preview?.pluginName ?? install?.pluginName ?? name
  const version = preview?.version ?? install?.version
  return (
    <li
      id={archiveId(id)}
      tabIndex={-1}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 px-4 py-3 focus-visible:-outline-offset-2"
    >
      <div className="flex items-center gap-3">
        <FileArchiveIcon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
        <div className="min-w-0 flex-1">
          <h3 className="flex min-w-0 flex-wrap items-center gap-x-2 font-medium">
            <span className="truncate">{title}</span>
            {version && (
              <span className="tabular font-normal text-muted-foreground">{version}</span>
            )}
            <ItemStatus item={item} />
          </h3>
          <p className="truncate text-xs text-muted-foreground">
            {name}
            {size > 0 && ` · ${formatBytes(size)}`}
            {item.offer && ' · from the index'}
          </p>
        </div>
        {item.historyId && (
          <Link href={`/plugins/history/${item.historyId}`} className={buttonClass({ size: 'sm' })}>
            Open
          </Link>
        )}
        <IconButton
          icon={XIcon}
          label={`Remove ${name} from the list`}
          onClick={() => installQueue.remove(id)}
        />
      </div>
      {error && (
        <Notice tone={item.step === 'check' ? 'destructive' : 'warning'} role="alert">
          {error}
        </Notice>
      )}
      {item.isOtherKey && <AcceptKey item={item} />}
      <Body item={item} />
    </li>
  )
}

function Body({ item }: { item: QueueItem }) {
  const { step, state, preview, install, historyId } = item
  // While it is planned again, what was planned before stays in place.
  if (preview && (isPlanned(item) || step === 'check'))
    return <PlanView item={item} preview={preview} />
  if (state === 'running') return historyId ? <Running item={item} /> : <Sending item={item} />
  if (step === 'install' && state === 'done' && install) return <InstallResult install={install} />
  return null
}

/** For an administrator who knows from the publisher that the key has changed. */
function AcceptKey({ item: { id } }: { item: QueueItem }) {
  if (!useCan('security:manage')) return null
  return (
    <div>
      <Button size="sm" onClick={() => installQueue.setOptions(id, { acceptKey: true })}>
        Plan with the other key
      </Button>
    </div>
  )
}

function Sending({ item: { step, sent, size } }: { item: QueueItem }) {
  const arrived = sent >= size
  const label = step === 'install' ? 'Sending' : arrived ? 'Preparing the preview' : 'Uploading'
  return (
    <Progress
      label={label}
      value={arrived ? null : sent}
      max={size}
      text={size > 0 ? `${formatBytes(Math.min(sent, size))} of ${formatBytes(size)}` : ''}
    />
  )
}

function Running({ item: { install, current } }: { item: QueueItem }) {
  const total = install?.totalFiles ?? 0
  const done = install?.processedFiles ?? 0
  return (
    <div aria-live="polite" className="grid gap-3">
      <Progress
        label={current ?? 'Starting'}
        value={total > 0 ? done : null}
        max={Math.max(1, total)}
        text={total > 0 ? `${done} of ${countOf(total, 'file')}` : ''}
      />
      {install && <CancelInstall {...install} />}
    </div>
  )
}

function ItemStatus({ item }: { item: QueueItem }) {
  const { step, state, install, isStale, preview } = item
  if (isStale) return <Status tone="warning">Plan out of date</Status>
  if (isPlanned(item)) return <PlanStatus preview={preview} />
  if (state === 'done' && install) return <InstallStatus {...install} />
  if (state === 'failed') return <Status tone="destructive">Not installable</Status>
  if (step === 'check' && state !== 'running') return <Status tone="neutral">Waiting</Status>
  return <Status tone="progress">{step === 'check' ? 'Checking' : 'Installing'}</Status>
}

/** Whether what is planned can be installed, and as a whole. */
function PlanStatus({ preview }: Pick<QueueItem, 'preview'>) {
  if (!preview?.failedCount) return <Status tone="info">Ready to install</Status>
  return canInstall(preview) ? (
    <Status tone="warning">Ready to install in part</Status>
  ) : (
    <Status tone="destructive">Not installable</Status>
  )
}

/** How an install ended: counts, then every file, failed ones first. */
function InstallResult({ install }: { install: History }) {
  const logs = useQuery(logsOptions(install.id))
  const { successCount, failedCount, recordCount, durationMs, errors } = install
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3 text-[13px] text-muted-foreground">
        <OutcomeBar {...install} />
        <span>
          {countOf(successCount, 'file')} written, {failedCount} failed,{' '}
          {countOf(recordCount, 'record')}
          {durationMs !== null && `, in ${formatDuration(durationMs)}`}
        </span>
      </div>
      {errors.map((error) => (
        <p key={error} className="text-[13px] text-destructive">
          {error}
        </p>
      ))}
      {logs.isPending && <Skeleton className="h-24" />}
      <ErrorState of={logs} />
      {logs.data && <FileReports files={logs.data} />}
    </div>
  )
}
