import { Status, type Tone } from '@/components/ui/status'
import type { MailStatus as State } from '@/lib/mail/status'

const LOOKS: Record<State, { tone: Tone; word: string }> = {
  queued: { tone: 'info', word: 'Queued' },
  sending: { tone: 'progress', word: 'Sending' },
  sent: { tone: 'success', word: 'Sent' },
  delivered: { tone: 'success', word: 'Delivered' },
  bounced: { tone: 'destructive', word: 'Bounced' },
  failed: { tone: 'destructive', word: 'Failed' },
}

export const MailStatus = ({ status }: { status: State }) => (
  <Status tone={LOOKS[status].tone}>{LOOKS[status].word}</Status>
)
