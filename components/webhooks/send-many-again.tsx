import { RefreshCwIcon } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { countOf } from '@/components/ui/number'
import { Time } from '@/components/ui/time'
import { toast } from '@/components/ui/toast'
import type { DeliveryFilter } from './delivery-filter'
import { sendManyAgain, useWebhookMutation } from './webhook-queries'

type Props = { id: string; failed: number; filter: DeliveryFilter }

/** Sends the failed deliveries again, or where a time is chosen, all of it; the latter asks before. */
export function SendManyAgain({ id, failed, filter: { from, to } }: Props) {
  const [isAsking, setAsking] = useState(false)
  const again = useWebhookMutation(sendManyAgain)
  const isRange = from !== '' || to !== ''
  const range = { ...(from && { from }), ...(to && { to }) }
  const send = () =>
    again.mutate(
      { id, ...(isRange ? range : { status: 'failed' as const }) },
      {
        onSuccess: ({ redelivered }) => {
          setAsking(false)
          toast.success(`${countOf(redelivered, 'delivery', 'deliveries')} sent again`)
        },
        onError: ({ message }) => {
          if (!isRange) toast.error(message)
        },
      },
    )
  if (!isRange && failed === 0) return null
  return (
    <>
      <Button size="sm" busy={again.isPending} onClick={() => (isRange ? setAsking(true) : send())}>
        <RefreshCwIcon aria-hidden />
        {isRange ? 'Send this time again' : 'Send failed again'}
      </Button>
      {isAsking && (
        <ConfirmDialog
          onClose={() => setAsking(false)}
          title="Send everything of this time again?"
          description={<Range from={from} to={to} />}
          confirmLabel="Send again"
          tone="primary"
          attempt={again}
          onConfirm={send}
        />
      )}
    </>
  )
}

const Range = ({ from, to }: Pick<DeliveryFilter, 'from' | 'to'>) => (
  <>
    All that was queued
    {from && (
      <>
        {' '}
        from <Time value={from} />
      </>
    )}
    {to && (
      <>
        {' '}
        until <Time value={to} />
      </>
    )}
    , delivered or not, of any status and record, at most 10,000. The receiver gets each with the
    same <code>webhook-id</code> as before.
  </>
)
