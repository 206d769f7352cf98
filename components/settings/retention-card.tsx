'use client'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { countOf } from '@/components/ui/number'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { Time } from '@/components/ui/time'
import { api } from '@/lib/http/client'
import type { Retained } from '@/lib/retention/contract'
import { formatBytes } from '@/lib/values/format-bytes'

/** What is kept and for how long. It is counted when somebody asks for it. */
export function RetentionCard() {
  const retention = useQuery({
    queryKey: ['retention'],
    queryFn: async ({ signal }) => (await api<Retained>('/api/server/retention', { signal })).data,
    enabled: false,
    gcTime: 0,
  })
  return (
    <Card
      title="Retention"
      description="What is kept after its use, for how long, and how much of it there is."
      flush
      actions={
        <Button size="sm" busy={retention.isFetching} onClick={() => void retention.refetch()}>
          {retention.data ? 'Refresh' : 'Show'}
        </Button>
      }
    >
      {retention.error ? (
        <ErrorState of={retention} />
      ) : retention.data ? (
        <dl className="divide-y">
          {retention.data.map((kept) => (
            <KeptRow key={kept.name} {...kept} />
          ))}
        </dl>
      ) : (
        retention.isFetching && <Skeleton className="m-4 h-24 rounded-lg" />
      )}
    </Card>
  )
}

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
