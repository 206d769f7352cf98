'use client'
import { ChevronRightIcon, CircleAlertIcon } from 'lucide-react'
import { cn } from '@/components/ui/cn'
import { countOf, formatCount } from '@/components/ui/number'
import { Status } from '@/components/ui/status'
import { FailureDetails } from './failure-details'
import { FileWarnings, warningCount } from './file-warnings'
import type { FileLog } from './types'
import { FILE_VERDICTS } from './verdicts'

type Props = { file: FileLog; planned: boolean }

/** One file: verdict, path, what it is about, counts; the reasons and changes inside. */
export function FileReportRow({ file, planned }: Props) {
  const { path, target, status, error, details, changes, warnings } = file
  const { tone, icon, done, planned: would } = FILE_VERDICTS[status]
  const hasMore = details.length > 0 || changes.length > 0 || warnings.length > 0
  const summary = (
    <>
      <ChevronRightIcon
        aria-hidden
        className={cn(
          'size-3.5 shrink-0 text-muted-foreground transition-transform group-open/file:rotate-90',
          !hasMore && 'invisible',
        )}
      />
      <Status tone={tone} icon={icon} className="shrink-0">
        {planned ? would : done}
      </Status>
      <span className="min-w-0 flex-1 truncate font-mono text-xs" title={path}>
        {path}
      </span>
      {warnings.length > 0 && (
        <span className="flex shrink-0 items-center gap-1 text-xs font-medium text-warning">
          <CircleAlertIcon aria-hidden className="size-3.5" />
          {warningCount(warnings)}
        </span>
      )}
      {error && (
        <span
          className={cn(
            'shrink-0 text-xs',
            status === 'failed' ? 'font-medium text-destructive' : 'text-muted-foreground',
          )}
        >
          {error}
        </span>
      )}
      <span className="hidden shrink-0 text-xs text-muted-foreground lg:inline">{target}</span>
      <span className="tabular hidden shrink-0 text-right text-xs text-muted-foreground sm:inline">
        {recordsText(file)}
      </span>
    </>
  )
  const line =
    'flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1 text-[13px] sm:flex-nowrap'
  if (!hasMore) return <li className={line}>{summary}</li>
  return (
    <li>
      <details className="group/file" open={status === 'failed'}>
        <summary
          className={cn(
            line,
            'cursor-pointer list-none hover:bg-accent/50 focus-visible:-outline-offset-2',
          )}
        >
          {summary}
        </summary>
        <div className="grid gap-2 border-t bg-muted/40 px-3 py-2.5 sm:pl-9">
          {changes.length > 0 && (
            <ul className="grid list-disc gap-0.5 pl-4 text-[13px]">
              {changes.map((change) => (
                <li key={change}>{change}</li>
              ))}
            </ul>
          )}
          {details.length > 0 && <FailureDetails file={file} />}
          {warnings.length > 0 && <FileWarnings file={file} />}
        </div>
      </details>
    </li>
  )
}

function recordsText({ records }: FileLog): string {
  const { created, updated, unchanged, failed } = records
  const total = created + updated + unchanged + failed
  if (total === 0) return ''
  const parts = [
    created > 0 && `${formatCount(created)} new`,
    updated > 0 && `${formatCount(updated)} changed`,
    unchanged > 0 && `${formatCount(unchanged)} same`,
    failed > 0 && `${formatCount(failed)} bad`,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : countOf(total, 'record')
}
