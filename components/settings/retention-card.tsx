'use client'
import { countOf } from '@/components/ui/number'
import { Time } from '@/components/ui/time'
import type { Retained } from '@/lib/retention/contract'
import { formatBytes } from '@/lib/values/format-bytes'
import { AskedCard } from './asked-card'

/** What is kept and for how long. */
export const RetentionCard = () => (
  <AskedCard<Retained>
    title="Retention"
    description="What is kept after its use, for how long, and how much of it there is."
    path="/api/server/retention"
    actions={['Show', 'Refresh']}
  >
    {(retention) => retention.map((kept) => <KeptRow key={kept.name} {...kept} />)}
  </AskedCard>
)

const KeptRow = ({ title, kept, settings, entries, isEstimate, bytes, oldestAt }: Retained) => (
  <div className="grid gap-x-6 gap-y-1 px-4 py-3 sm:grid-cols-[11rem_1fr]">
    <dt>{title}</dt>
    <dd className="grid min-w-0 gap-0.5">
      <span className="break-words">{kept}</span>
      <span className="text-[13px] text-muted-foreground">
        {isEstimate && 'About '}
        {countOf(entries, 'entry', 'entries')}, {formatBytes(bytes)}
        {oldestAt && (
          <>
            , since <Time value={oldestAt} />
          </>
        )}
      </span>
      {settings.length > 0 && (
        <span className="font-mono text-xs break-words text-muted-foreground">
          {settings.join(', ')}
        </span>
      )}
    </dd>
  </div>
)
