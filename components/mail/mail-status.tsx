import { useServerFacts } from '@/components/shell/server-facts'
import { Status, type Tone } from '@/components/ui/status'
import type { MailStatus as State } from '@/lib/mail/status'

type Look = { tone: Tone; word: string }

const LOOKS: Record<State, Look> = {
  queued: { tone: 'info', word: 'Queued' },
  sending: { tone: 'progress', word: 'Sending' },
  sent: { tone: 'success', word: 'Sent' },
  delivered: { tone: 'success', word: 'Delivered' },
  bounced: { tone: 'destructive', word: 'Bounced' },
  failed: { tone: 'destructive', word: 'Failed' },
}

/** Without a provider a mail is not queued: it stays where it is. */
const KEPT: Look = { tone: 'neutral', word: 'Kept in the outbox' }

export function MailStatus({ status }: { status: State }) {
  const { sendsMail } = useServerFacts()
  const { tone, word } = status === 'queued' && !sendsMail ? KEPT : LOOKS[status]
  return <Status tone={tone}>{word}</Status>
}
