import { Status, type Tone } from '@/components/ui/status'
import type { Delivery, Webhook } from '@/lib/webhooks/contract'

type Look = { tone: Tone; word: string }

const STOPPED: Record<NonNullable<Webhook['stopped']>, Look> = {
  paused: { tone: 'neutral', word: 'Paused' },
  failing: { tone: 'destructive', word: 'Stopped: it failed for 12 hours' },
  removed: { tone: 'destructive', word: 'Stopped: answered 410' },
  unauthorised: { tone: 'destructive', word: 'Stopped: right lost' },
  invalid: { tone: 'destructive', word: 'Stopped: no longer fits' },
}

/** Whether it sends, and why not. */
export function WebhookStatus({ webhook: { url, stopped, failures } }: { webhook: Webhook }) {
  if (url === null) return <Status tone="warning">Needs an address</Status>
  const look: Look = stopped
    ? STOPPED[stopped]
    : failures > 0
      ? { tone: 'warning', word: 'Failing' }
      : { tone: 'success', word: 'Active' }
  return <Status tone={look.tone}>{look.word}</Status>
}

export const DELIVERY_LOOKS: Record<Delivery['status'], Look> = {
  queued: { tone: 'info', word: 'Waiting' },
  sending: { tone: 'progress', word: 'Sending' },
  delivered: { tone: 'success', word: 'Delivered' },
  failed: { tone: 'destructive', word: 'Failed' },
  withheld: { tone: 'warning', word: 'Withheld' },
}

export function DeliveryStatus({ delivery: { status, attempts } }: { delivery: Delivery }) {
  const isRetried = status === 'queued' && attempts > 0
  const { tone, word } = isRetried
    ? { tone: 'warning' as const, word: 'Tried again later' }
    : DELIVERY_LOOKS[status]
  return <Status tone={tone}>{word}</Status>
}

/** `updated 17 of Order` */
export const deliveryWords = ({ entity, key, action }: Delivery): string =>
  entity === null
    ? 'Test'
    : action === 'many'
      ? `Many records of ${entity}`
      : `${action.charAt(0).toUpperCase()}${action.slice(1)}: ${entity}${key === null ? '' : ` ${key}`}`
