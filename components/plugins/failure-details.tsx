import { formatCount } from '@/components/ui/number'
import { FaultGroups } from './fault-groups'
import { FileDetails } from './file-details'
import type { FileLog } from './types'

/** What is wrong: faults of records by rule, others each with its place and value. */
export function FailureDetails({ file }: { file: FileLog }) {
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
