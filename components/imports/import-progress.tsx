import { formatCount } from '@/components/ui/number'
import { Progress } from '@/components/ui/progress'
import { formatBytes } from '@/lib/values/format-bytes'
import type { ImportItem } from './import-item'

/** How much of a file has arrived, then how much of it is read. */
export function ImportProgress({ item }: { item: ImportItem }) {
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
