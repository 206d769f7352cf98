import { cn } from '@/components/ui/cn'
import { countOf } from '@/components/ui/number'

type Props = {
  totalFiles: number
  successCount: number
  failedCount: number
  className?: string
}

/** How many files of an install succeeded, as a bar, and in words for screen readers. */
export function OutcomeBar({ totalFiles, successCount, failedCount, className }: Props) {
  const share = (count: number) => `${totalFiles === 0 ? 0 : (count / totalFiles) * 100}%`
  const text = `${countOf(totalFiles, 'file')}: ${successCount} written, ${failedCount} failed`
  return (
    <span
      role="img"
      aria-label={text}
      title={text}
      className={cn('flex h-1.5 w-24 gap-px overflow-hidden rounded-full bg-accent', className)}
    >
      <span className="bg-success" style={{ width: share(successCount) }} />
      <span className="bg-destructive" style={{ width: share(failedCount) }} />
    </span>
  )
}
