'use client'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { Status, type Tone } from '@/components/ui/status'
import type { ServerCheck } from '@/lib/checks/contract'
import { api } from '@/lib/http/client'

const STATES: Record<ServerCheck['status'], { tone: Tone; word: string }> = {
  ok: { tone: 'success', word: 'OK' },
  warning: { tone: 'warning', word: 'Warning' },
  fault: { tone: 'destructive', word: 'Fault' },
}

/** What the server finds of itself when it is asked to: some checks take seconds. */
export function ChecksCard() {
  const checks = useQuery({
    queryKey: ['server-checks'],
    queryFn: async ({ signal }) => (await api<ServerCheck>('/api/server/checks', { signal })).data,
    enabled: false,
    gcTime: 0,
  })
  return (
    <Card
      title="Checks"
      description="Looks at settings, database, disk, storage, clock, proxies and backups."
      flush
      actions={
        <Button size="sm" busy={checks.isFetching} onClick={() => void checks.refetch()}>
          {checks.data ? 'Check again' : 'Check now'}
        </Button>
      }
    >
      {checks.error ? (
        <ErrorState of={checks} />
      ) : checks.data ? (
        <dl className="divide-y">
          {inOrder(checks.data).map((check) => (
            <CheckRow key={check.name} {...check} />
          ))}
        </dl>
      ) : (
        checks.isFetching && <Skeleton className="m-4 h-24 rounded-lg" />
      )}
    </Card>
  )
}

const ORDER: ServerCheck['status'][] = ['fault', 'warning', 'ok']

/** What is to be done comes first. */
const inOrder = (checks: readonly ServerCheck[]): ServerCheck[] =>
  ORDER.flatMap((status) => checks.filter((check) => check.status === status))

const CheckRow = ({ title, status, finding, action }: ServerCheck) => (
  <div className="grid gap-x-6 gap-y-1 px-4 py-3 sm:grid-cols-[11rem_1fr_auto]">
    <dt>{title}</dt>
    <dd className="grid min-w-0 gap-0.5">
      <span className="break-words">{finding}</span>
      {action && <span className="text-[13px] break-words text-muted-foreground">{action}</span>}
    </dd>
    <dd>
      <Status tone={STATES[status].tone}>{STATES[status].word}</Status>
    </dd>
  </div>
)
