import { FaultGroups } from '@/components/plugins/fault-groups'
import { Notice } from '@/components/ui/notice'
import { countOf } from '@/components/ui/number'
import type { Import } from '@/lib/import/contract'
import { Counts } from './counts'
import { recordsOf } from './import-item'

/** What the dry run found: nothing is stored yet. */
export function CheckResult({ of: check }: { of: Import }) {
  const { status, error, refused, doneRows, groups } = check
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
          <FaultGroups label="Refused rows by rule" groups={groups} isOfRows />
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
