'use client'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { countOf, formatCount } from '@/components/ui/number'
import { ApiError } from '@/lib/http/client'
import { LABEL_FIELDS } from './label-fields'
import type { LabelsEdited } from './send-label-edit'
import type { useLabelDryRun } from './use-label-dry-run'

/** What the edit would do, or why it can't be done. */
export function LabelPreview({ data, error, isRunning, again }: ReturnType<typeof useLabelDryRun>) {
  return (
    <section
      aria-label="Preview"
      aria-busy={isRunning}
      className="grid min-h-10 content-start gap-3"
    >
      <p role="status" className="text-[13px] text-muted-foreground">
        {isRunning ? 'Checking every image…' : data ? <Counts {...data} /> : !error && NOTHING_YET}
      </p>
      {error && !isPlaced(error) && (
        <Notice
          tone="destructive"
          role="alert"
          actions={
            <Button size="sm" onClick={again}>
              Try again
            </Button>
          }
        >
          {error.message}
        </Notice>
      )}
    </section>
  )
}

const NOTHING_YET = 'What would change is counted here before anything is changed.'

/** It is shown at a field. */
const isPlaced = (error: Error) =>
  error instanceof ApiError && LABEL_FIELDS.some((field) => error.errorOf(field))

const Counts = ({ effected, updated, unchanged }: LabelsEdited) => (
  <>
    Of {countOf(effected, 'image')},{' '}
    <strong className="font-medium text-foreground">{formatCount(updated)}</strong>{' '}
    {updated === 1 ? 'changes' : 'change'}
    {unchanged > 0 &&
      `; ${formatCount(unchanged)} ${unchanged === 1 ? 'has' : 'have'} these labels already`}
    .
  </>
)
