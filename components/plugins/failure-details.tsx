import { formatCount } from '@/components/ui/number'
import { FileDetails } from './file-details'
import type { FileLog } from './types'

/** Every error with its place and the value, and how many there are in total. */
export function FailureDetails({ file }: { file: FileLog }) {
  const { details, detailCount, path, target } = file
  return (
    <div className="grid gap-1.5">
      <FileDetails label={`Errors in ${path}`} target={target} details={details} />
      {detailCount > details.length && (
        <p className="text-xs text-muted-foreground">
          The first {formatCount(details.length)} of {formatCount(detailCount)} errors.
        </p>
      )}
    </div>
  )
}
