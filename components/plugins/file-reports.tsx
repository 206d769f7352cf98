import { type ReactNode, useMemo, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { formatCount } from '@/components/ui/number'
import { EmptyState } from '@/components/ui/state'
import { UPGRADE, type Wording } from './conflicts/wording'
import { FileReportRow } from './file-report-row'
import { FILE_STATUS_ORDER, FILE_VERDICTS } from './install-status'
import type { FileLog, FileStatus } from './searches'

type Props = {
  files: readonly FileLog[]
  planned?: boolean
  /** Shows what a data file does to its records. */
  records?: (file: FileLog) => ReactNode
  /** Of conflicts. */
  wording?: Wording
}

const SHOWN_AT_ONCE = 100

/** Files of one verdict, or those with warnings. */
type Choice = FileStatus | 'warned'

/** Files by verdict, failed ones first; a press on a verdict shows it alone. */
export function FileReports({ files, planned = false, records, wording = UPGRADE }: Props) {
  const [only, setOnly] = useState<Choice | null>(null)
  const [limit, setLimit] = useState(SHOWN_AT_ONCE)
  const sorted = useMemo(() => inOrder(files, only), [files, only])
  if (files.length === 0) return <EmptyState className="py-6" title="No files yet" />
  return (
    <div className="grid gap-2">
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">Show files by verdict</legend>
        {FILE_STATUS_ORDER.map((status) => (
          <VerdictToggle
            key={status}
            label={FILE_VERDICTS[status][planned ? 'planned' : 'done']}
            count={files.filter((file) => file.status === status).length}
            pressed={only === status}
            onPress={() => setOnly(only === status ? null : status)}
          />
        ))}
        <VerdictToggle
          label="With warnings"
          count={files.filter(hasWarnings).length}
          pressed={only === 'warned'}
          onPress={() => setOnly(only === 'warned' ? null : 'warned')}
        />
      </fieldset>
      <ul className="divide-y overflow-hidden rounded-lg border">
        {sorted.slice(0, limit).map((file) => (
          <FileReportRow key={file.path} {...{ file, planned, records, wording }} />
        ))}
      </ul>
      {sorted.length > limit && (
        <Button size="sm" className="justify-self-start" onClick={() => setLimit(limit * 4)}>
          Show more ({formatCount(sorted.length - limit)} left)
        </Button>
      )}
    </div>
  )
}

type ToggleProps = { label: string; count: number; pressed: boolean; onPress: () => void }

function VerdictToggle({ label, count, pressed, onPress }: ToggleProps) {
  if (count === 0) return null
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={cn(
        'h-6 rounded-md border px-2 text-xs transition-colors hover:bg-accent',
        pressed && 'border-primary bg-primary-soft text-primary',
      )}
    >
      {label} <span className="tabular">{formatCount(count)}</span>
    </button>
  )
}

/** By verdict, then as the archive was processed. */
function inOrder(files: readonly FileLog[], only: Choice | null): FileLog[] {
  const chosen = files.filter(
    (file) => !only || (only === 'warned' ? hasWarnings(file) : file.status === only),
  )
  const rank = ({ status }: FileLog) => FILE_STATUS_ORDER.indexOf(status)
  return chosen.sort((a, b) => rank(a) - rank(b))
}

const hasWarnings = ({ warnings }: FileLog) => warnings.length > 0
