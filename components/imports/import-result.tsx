import { FaultGroups } from '@/components/plugins/fault-groups'
import { Notice } from '@/components/ui/notice'
import { countOf } from '@/components/ui/number'
import { Time } from '@/components/ui/time'
import type { Import } from '@/lib/import/contract'
import { Counts } from './counts'

type Props = { of: Import; error?: string }

/** How an import has ended. */
export function ImportResult({ of: result, error: lost }: Props) {
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
      {status === 'DONE' && (
        <>
          <p role="status" className="font-medium">
            {result.dryRun ? 'The file was checked; nothing is stored.' : 'The file is imported.'}
          </p>
          <Counts of={result} isDryRun={result.dryRun} />
        </>
      )}
      {groups.length > 0 && <FaultGroups label="Refused rows by rule" groups={groups} isOfRows />}
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
