'use client'
import { useQuery } from '@tanstack/react-query'
import { countOf, formatDuration } from '@/components/ui/number'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/state'
import { FileReports } from './file-reports'
import { logsOptions } from './install-queries'
import { OutcomeBar } from './outcome-bar'
import type { History } from './types'

/** How an install ended: counts, then every file, failed ones first. */
export function InstallResult({ install }: { install: History }) {
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
      {logs.error && <ErrorState error={logs.error} onRetry={() => logs.refetch()} />}
      {logs.data && <FileReports files={logs.data} />}
    </div>
  )
}
