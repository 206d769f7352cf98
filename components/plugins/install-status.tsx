import { CircleDotIcon, CircleMinusIcon, EqualIcon, type LucideIcon, PlusIcon } from 'lucide-react'
import { cn } from '@/components/ui/cn'
import { countOf } from '@/components/ui/number'
import { Status, type Tone } from '@/components/ui/status'
import type { FileStatus, History } from './searches'

/** How an install ended, or what else happened to a plugin. */
export function InstallStatus({
  status,
  kind,
  cancelledBy,
}: Pick<History, 'status' | 'kind'> & Partial<Pick<History, 'cancelledBy'>>) {
  const { tone, label } = INSTALL_VERDICTS[status]
  if (cancelledBy)
    return (
      <Status tone="warning">{status === 'FAILED' ? 'Cancelled' : 'Cancelled, in part'}</Status>
    )
  if (kind !== 'install' && status === 'SUCCESS')
    return <Status tone="neutral">{KINDS[kind]}</Status>
  return <Status tone={tone}>{label}</Status>
}

type Props = {
  totalFiles: number
  successCount: number
  failedCount: number
  className?: string
}

/** How many files of an install succeeded, as a bar, and in words for screen readers. */
export function OutcomeBar({ totalFiles, successCount, failedCount, className }: Props) {
  const share = (count: number) => `${totalFiles === 0 ? 0 : (count / totalFiles) * 100}%`
  const text = `${countOf(totalFiles, 'file')}: ${successCount} written, ${failedCount} failed`
  return (
    <span
      role="img"
      aria-label={text}
      title={text}
      className={cn('flex h-1.5 w-24 gap-px overflow-hidden rounded-full bg-accent', className)}
    >
      <span className="bg-success" style={{ width: share(successCount) }} />
      <span className="bg-destructive" style={{ width: share(failedCount) }} />
    </span>
  )
}

type Look = { tone: Tone; icon?: LucideIcon; done: string; planned: string }

/** In the order of attention. */
export const FILE_VERDICTS: Record<FileStatus, Look> = {
  failed: { tone: 'destructive', done: 'Failed', planned: 'Refused' },
  created: { tone: 'success', icon: PlusIcon, done: 'Created', planned: 'Will be created' },
  updated: { tone: 'info', icon: CircleDotIcon, done: 'Updated', planned: 'Will be updated' },
  unchanged: { tone: 'neutral', icon: EqualIcon, done: 'Unchanged', planned: 'Unchanged' },
  ignored: { tone: 'neutral', icon: CircleMinusIcon, done: 'Ignored', planned: 'Ignored' },
}
export const FILE_STATUS_ORDER = Object.keys(FILE_VERDICTS) as FileStatus[]

const INSTALL_VERDICTS: Record<History['status'], { tone: Tone; label: string }> = {
  IN_PROGRESS: { tone: 'progress', label: 'In progress' },
  SUCCESS: { tone: 'success', label: 'Installed' },
  PARTIAL: { tone: 'warning', label: 'Partially installed' },
  FAILED: { tone: 'destructive', label: 'Failed' },
}

/** What an entry of the history is. */
export const ENTRIES: Record<History['kind'], string> = {
  install: 'Install',
  uninstall: 'Uninstall',
  restore: 'Restore',
  rollback: 'Rollback',
}

/** What happened to a plugin, in words. */
export const KINDS: Record<History['kind'], string> = {
  install: 'Installed',
  uninstall: 'Uninstalled',
  restore: 'Restored',
  rollback: 'Rolled back',
}
