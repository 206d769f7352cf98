import { ChevronRightIcon, CircleAlertIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { countOf, formatCount } from '@/components/ui/number'
import { Status } from '@/components/ui/status'
import { DecidedConflicts } from './conflicts/conflict-list'
import type { Wording } from './conflicts/wording'
import { FaultGroups } from './fault-groups'
import { FileDetails, FileWarnings, warningCount } from './file-details'
import { FILE_VERDICTS } from './install-status'
import type { FileLog } from './searches'

type Props = {
  file: FileLog
  planned: boolean
  /** Shows what a data file does to its records; called when the row is opened. */
  records?: ((file: FileLog) => ReactNode) | undefined
  wording: Wording
}

/** One file: verdict, path, what it is about, counts; the reasons and changes inside. */
export function FileReportRow({ file, planned, records, wording }: Props) {
  const [isOpen, setOpen] = useState(isOpenAtFirst(file, planned))
  const { path, target, status, error, details, changes, warnings } = file
  const { tone, icon, done, planned: would } = FILE_VERDICTS[status]
  const hasRecords = records !== undefined && isOfRecords(file)
  const hasMore =
    (file.conflictCount > 0 && !planned) ||
    hasRecords ||
    details.length > 0 ||
    changes.length > 0 ||
    warnings.length > 0
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
          {error === 'Conflict Issue!' ? 'Conflict' : error}
        </span>
      )}
      <span className="hidden shrink-0 text-xs text-muted-foreground lg:inline">{target}</span>
      <span className="tabular basis-full pl-5.5 text-xs text-muted-foreground empty:hidden sm:shrink-0 sm:basis-auto sm:pl-0 sm:text-right">
        {recordsText(file)}
      </span>
    </>
  )
  const line =
    'flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1 text-[13px] sm:flex-nowrap'
  if (!hasMore) return <li className={line}>{summary}</li>
  return (
    <li>
      <details
        className="group/file"
        open={isOpen}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
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
          {!planned && <FileConflicts file={file} wording={wording} />}
          {warnings.length > 0 && <FileWarnings file={file} />}
          {hasRecords && isOpen && records(file)}
        </div>
      </details>
    </li>
  )
}

/** A data file that is going to be installed. */
const isOfRecords = ({ target, status, records, removed }: FileLog) =>
  status !== 'failed' &&
  !target?.startsWith('Engine') &&
  records.created + records.updated + records.unchanged + removed.deleted > 0

function recordsText(file: FileLog): string {
  const { records, conflictCount, removed, deleted } = file
  if (file.status === 'failed' && file.target?.startsWith('Engine')) return storedText(file)

  const { created, updated, unchanged, failed } = records
  const total = created + updated + unchanged + failed
  if (total + removed.deleted + deleted.kept === 0) return ''
  const parts = [
    created > 0 && `${formatCount(created)} new`,
    updated > 0 && `${formatCount(updated)} changed`,
    unchanged > 0 && `${formatCount(unchanged)} same`,
    failed > 0 && `${formatCount(failed)} bad`,
    removed.deleted > 0 && `${formatCount(removed.deleted)} deleted`,
    deleted.kept > 0 && `${formatCount(deleted.kept)} stay deleted`,
    conflictCount > 0 && countOf(conflictCount, 'conflict'),
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : countOf(total, 'record')
}

/** Of definitions that failed: which stored records forbid them, by the first reason and how many there are. */
function storedText({ groups }: FileLog): string {
  const [first, ...others] = groups.filter(({ entity }) => entity !== null)
  if (!first) return ''
  const more = others.length > 0 ? ` and ${countOf(others.length, 'more reason')}` : ''
  return `${countOf(first.total, 'stored record')}${more}`
}

/** What failed is shown with its reasons, unless they are conflicts, which the plan shows above. */
const isOpenAtFirst = ({ status, conflictCount }: FileLog, planned: boolean) =>
  status === 'failed' && !(planned && conflictCount > 0)

/** What is wrong: faults of records by rule, others each with its place and value. */
function FailureDetails({ file }: { file: FileLog }) {
  const { details, detailCount, groups, path, target } = file
  const isStored = groups.some(({ entity }) => entity !== null)
  const list = (
    <div className="grid gap-1.5">
      <FileDetails label={`Errors in ${path}`} {...{ target, details, isStored }} />
      {detailCount > details.length && (
        <p className="text-xs text-muted-foreground">
          The first {formatCount(details.length)} of {formatCount(detailCount)} errors.
        </p>
      )}
    </div>
  )
  const isGrouped = groups.length > 0 && (isStored || groups.length < detailCount)
  if (!isGrouped) return list
  return (
    <div className="grid gap-1.5">
      <FaultGroups label={`What is wrong in ${path}`} groups={groups} />
      <details>
        <summary className="w-fit cursor-pointer text-xs text-muted-foreground hover:text-foreground">
          Show {isStored ? 'the records' : 'the errors'} one by one
        </summary>
        <div className="pt-1.5">{list}</div>
      </details>
    </div>
  )
}

/** The records that were changed here and by the plugin, with what was chosen. */
function FileConflicts({ file, wording }: { file: FileLog; wording: Wording }) {
  const { conflicts, conflictCount, target } = file
  if (conflictCount === 0) return null
  return (
    <section aria-label="Conflicts" className="grid gap-1.5">
      <p className="text-xs text-muted-foreground">
        {countOf(conflictCount, 'conflict')}
        {conflictCount > conflicts.length && `, the first ${formatCount(conflicts.length)} listed`}
      </p>
      <DecidedConflicts entity={target ?? ''} conflicts={conflicts} wording={wording} />
    </section>
  )
}
