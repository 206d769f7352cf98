import { Status, type Tone } from '@/components/ui/status'
import type { BackgroundExport } from '@/lib/export/contract'

const LOOKS: Record<BackgroundExport['status'], { tone: Tone; label: string }> = {
  WAITING: { tone: 'neutral', label: 'Waiting' },
  RUNNING: { tone: 'progress', label: 'Preparing' },
  READY: { tone: 'success', label: 'Ready' },
  FAILED: { tone: 'destructive', label: 'Failed' },
  CANCELLED: { tone: 'neutral', label: 'Cancelled' },
}

/** Where an export is, and why it failed. */
export function ExportStatus({ of: { status, error } }: { of: BackgroundExport }) {
  const { tone, label } = LOOKS[status]
  return (
    <span className="flex min-w-0 items-center gap-2" title={error ?? undefined}>
      <Status tone={tone}>{label}</Status>
      {error && <span className="truncate text-xs text-muted-foreground">{error}</span>}
    </span>
  )
}
