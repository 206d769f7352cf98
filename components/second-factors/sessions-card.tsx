import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { Badge } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import { toast } from '@/components/ui/toast'
import type { Session } from '@/lib/users/session-contract'
import { endOtherSessions, endSession, sessionsOptions } from './factor-queries'
import { FactorRow } from './factor-row'

/** Where the visitor is signed in. */
export function SessionsCard() {
  const sessions = useQuery(sessionsOptions)
  const ending = useEnding(endOtherSessions, 'Your other sessions have ended')
  const hasOthers = (sessions.data?.length ?? 0) > 1
  return (
    <Card
      title="Sessions"
      flush
      actions={
        hasOthers && (
          <Button size="sm" busy={ending.isPending} onClick={() => ending.mutate(undefined)}>
            End all others
          </Button>
        )
      }
    >
      {sessions.error ? (
        <ErrorState of={sessions} />
      ) : sessions.data ? (
        <ul className="max-h-96 divide-y overflow-y-auto">
          {sessions.data.map((session) => (
            <SessionRow key={session.id} {...session} />
          ))}
        </ul>
      ) : (
        <Skeleton className="m-4 h-24 rounded-lg" />
      )}
    </Card>
  )
}

function SessionRow({ id, current, device, signedInBy, address, ...times }: Session) {
  const { signedInAt, lastSeenAt } = times
  const ending = useEnding(() => endSession(id), `The session of ${device} has ended`)
  return (
    <li>
      <FactorRow
        nested
        title={
          <span className="flex flex-wrap items-center gap-2">
            {device}
            {current && <Badge>This one</Badge>}
          </span>
        }
        detail={
          <>
            {address ?? 'Unknown address'} · signed in{' '}
            {signedInBy && `with ${signedInBy.replace('oidc:', '')} `}
            <Time value={signedInAt} />
            {!current && (
              <>
                {' '}
                · last seen <Time value={lastSeenAt} />
              </>
            )}
          </>
        }
      >
        {!current && (
          <Button
            size="sm"
            busy={ending.isPending}
            aria-label={`End the session of ${device}`}
            onClick={() => ending.mutate(undefined)}
          >
            End
          </Button>
        )}
      </FactorRow>
    </li>
  )
}

function useEnding(end: () => Promise<unknown>, text: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: end,
    onSuccess: () => toast.success(text),
    onError: (error) => toast.error(error.message),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsOptions.queryKey }),
  })
}
