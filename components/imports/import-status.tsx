import { Status, type Tone } from '@/components/ui/status'
import type { Import } from '@/lib/import/contract'

const LOOKS: Record<Import['status'], { tone: Tone; label: string }> = {
  WAITING: { tone: 'neutral', label: 'Waiting' },
  RUNNING: { tone: 'progress', label: 'Running' },
  DONE: { tone: 'success', label: 'Imported' },
  FAILED: { tone: 'destructive', label: 'Failed' },
  CANCELLED: { tone: 'neutral', label: 'Cancelled' },
}

/** Where an import is, and why it failed. */
export function ImportStatus({ of: { status, error, refused, dryRun } }: { of: Import }) {
  const isPart = status === 'DONE' && refused > 0
  const { tone, label } = LOOKS[status]
  return (
    <span className="flex min-w-0 items-center gap-2" title={error ?? undefined}>
      <Status tone={isPart ? 'warning' : tone}>
        {dryRun && status === 'DONE' ? 'Checked' : isPart ? 'Imported in part' : label}
      </Status>
      {error && <span className="truncate text-xs text-muted-foreground">{error}</span>}
    </span>
  )
}
