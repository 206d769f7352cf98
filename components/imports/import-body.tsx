import { useQuery } from '@tanstack/react-query'
import { columnsOptions } from '@/components/entities/entity-queries'
import { FaultGroups } from '@/components/plugins/fault-groups'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { countOf, formatCount } from '@/components/ui/number'
import { Progress } from '@/components/ui/progress'
import { Skeleton } from '@/components/ui/state'
import { Time } from '@/components/ui/time'
import type { Import } from '@/lib/import/contract'
import { formatBytes } from '@/lib/values/format-bytes'
import { chooseOptions } from './check-import'
import { ColumnList } from './column-list'
import { type ImportItem, isMisread, recordsOf } from './import-item'
import { ImportOptionsForm } from './import-options'

/** An import, from the columns of its file to its result. */
export function ImportBody({ item }: { item: ImportItem }) {
  const { state, error, preview, check, result } = item
  if (state === 'over' && result) return <ImportResult of={result} error={error} />
  if (item.isConfirmed || state === 'sending' || state === 'running')
    return <ImportProgress item={item} />
  return (
    <div className="grid gap-5">
      {error && (
        <Notice
          tone="destructive"
          role="alert"
          actions={isMisread(item) && <ReadOtherwise id={item.id} />}
        >
          {error}
        </Notice>
      )}
      {state === 'checking' && <ImportProgress item={item} />}
      {state === 'checked' && check && <CheckResult of={check} />}
      {preview ? (
        <>
          <ImportOptionsForm item={item} preview={preview} />
          <ColumnList item={item} preview={preview} />
        </>
      ) : (
        state === 'checking' && <Skeleton className="h-40" />
      )}
    </div>
  )
}

/** For files that spreadsheets save in the encoding of the computer. */
function ReadOtherwise({ id }: { id: string }) {
  return (
    <Button
      size="sm"
      variant="outline"
      onClick={() => chooseOptions(id, { encoding: 'windows-1252' })}
    >
      Read it as Windows-1252
    </Button>
  )
}

/** What the dry run found: nothing is stored yet. */
function CheckResult({ of: check }: { of: Import }) {
  const { status, error, refused, doneRows } = check
  if (status !== 'DONE')
    return (
      <Notice tone="destructive" role="alert" title="The file can’t be imported">
        {error ?? 'The check was cancelled.'}
      </Notice>
    )
  return (
    <section aria-label="Dry run" className="grid gap-3">
      <p role="status" className="font-medium">
        {verdictOf(check)}
      </p>
      <Counts of={check} isDryRun />
      {refused > 0 && (
        <>
          <p className="text-[13px] text-muted-foreground">
            {refused === doneRows ? '' : 'The other rows can be imported without these. '}
            Download the refused rows, correct them and drop the file here.
          </p>
          <RefusedGroups of={check} />
        </>
      )}
    </section>
  )
}

function verdictOf(check: Import): string {
  const { doneRows, refused } = check
  const rows = countOf(doneRows, 'row')
  if (doneRows === 0) return 'The file has no rows.'
  if (refused === 0) return `${rows} checked: all can be imported.`
  if (recordsOf(check) === 0) return `${rows} checked: all are refused.`
  return `${rows} checked: ${countOf(refused, 'row is', 'rows are')} refused.`
}

type Props = { of: Import; error?: string }

/** How an import has ended. */
function ImportResult({ of: result, error: lost }: Props) {
  const { status, error, groups, refused, refusedRows, createdBy, completedAt } = result
  return (
    <section aria-label="Result" className="grid gap-4">
      {lost && <Notice tone="warning">{lost}</Notice>}
      {status === 'FAILED' && (
        <Notice tone="destructive" role="alert" title="Nothing is stored">
          {error}
        </Notice>
      )}
      {status === 'CANCELLED' && (
        <Notice title="The import was cancelled">Nothing is stored.</Notice>
      )}
      {status === 'UNDONE' && (
        <Notice title="The import is undone">Its records are as before.</Notice>
      )}
      {status === 'DONE' && (
        <>
          <p role="status" className="font-medium">
            {result.dryRun ? 'The file was checked; nothing is stored.' : 'The file is imported.'}
          </p>
          <Counts of={result} isDryRun={result.dryRun} />
        </>
      )}
      {groups.length > 0 && <RefusedGroups of={result} />}
      {refused > 0 && (
        <p className="text-[13px] text-muted-foreground">
          {refusedRows < refused && `The file holds the first ${countOf(refusedRows, 'row')}. `}
          Download the refused rows, correct them and drop the file here.
        </p>
      )}
      <p className="text-xs text-muted-foreground">
        By {createdBy}
        {completedAt && (
          <>
            , <Time value={completedAt} />
          </>
        )}
      </p>
    </section>
  )
}

/** Fields have the labels that the columns of the table have. */
function RefusedGroups({ of: { entity, groups } }: { of: Import }) {
  const { data: columns } = useQuery(columnsOptions(entity))
  const labels = new Map(columns?.data.map(({ name, label }) => [name, label]))
  return (
    <FaultGroups
      label="Refused rows by rule"
      groups={groups}
      isOfRows
      labelOf={(field) => labels.get(field) ?? field}
    />
  )
}

type CountsProps = {
  of: Pick<Import, 'created' | 'updated' | 'unchanged' | 'refused'>
  isDryRun?: boolean
}

/** How many records an import creates, changes and refuses. */
function Counts({ of: { created, updated, unchanged, refused }, isDryRun = false }: CountsProps) {
  const counts = [
    { label: isDryRun ? 'To create' : 'Created', count: created },
    { label: isDryRun ? 'To update' : 'Updated', count: updated },
    ...(unchanged > 0 ? [{ label: 'Unchanged', count: unchanged }] : []),
    { label: 'Refused', count: refused },
  ]
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      {counts.map(({ label, count }) => (
        <div key={label} className="flex flex-col-reverse">
          <dt className="text-xs text-muted-foreground">{label}</dt>
          <dd
            className={`tabular text-lg font-semibold ${label === 'Refused' && count > 0 ? 'text-destructive' : ''}`}
          >
            {formatCount(count)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** How much of a file has arrived, then how much of it is read. */
function ImportProgress({ item }: { item: ImportItem }) {
  const { state, sent, size, check, result } = item
  const run = state === 'checking' ? check : result
  const [done, total] = run ? [run.doneBytes, run.totalBytes] : [sent, size]
  const isDone = !run && done >= total
  const bytes = `${formatBytes(done)} of ${formatBytes(total)}`
  const rows = run && run.doneRows > 0 ? ` · ${formatCount(run.doneRows)} rows` : ''
  const refused = run && run.refused > 0 ? ` · ${formatCount(run.refused)} refused` : ''
  return (
    <div className="grid gap-2">
      <Progress
        label={labelOf(state, run?.status)}
        value={isDone || run?.status === 'WAITING' ? null : Math.min(done, total)}
        max={Math.max(1, total)}
        text={`${bytes}${rows}${refused}`}
      />
      {state === 'running' && (
        <p className="text-[13px] text-muted-foreground">
          All rows are stored together at the end. The server goes on when this page is closed.
        </p>
      )}
    </div>
  )
}

function labelOf(state: ImportItem['state'], status: string | undefined): string {
  if (status === 'WAITING') return 'Waiting'
  if (status === undefined) return 'Sending the file'
  return state === 'checking' ? 'Checking all rows' : 'Importing'
}
