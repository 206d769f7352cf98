import type { StopReason } from '@/lib/db/schema/webhook-states'
import type { MailText } from '../mail-html'

export type WebhookStoppedProps = {
  email: string
  name: string
  host: string
  reason: StopReason
  link: string
}

const WHY: Record<StopReason, string> = {
  paused: 'It was paused.',
  failing: 'Every attempt of the last 12 hours failed.',
  removed: 'The receiver answered 410, which says that it is there no longer.',
  unauthorised:
    'The account or key that it acts for may no longer manage webhooks, or is not active.',
  invalid: 'Its conditions no longer fit an entity.',
}

export const webhookStopped = ({
  email,
  name,
  host,
  reason,
  link,
}: WebhookStoppedProps): MailText => ({
  subject: `The webhook "${name}" was stopped`,
  preview: WHY[reason],
  heading: `The webhook "${name}" was stopped`,
  paragraphs: [
    `Nothing is sent to ${host} for now. ${WHY[reason]}`,
    'Nothing is lost meanwhile: changes wait as long as they are kept, and are sent once you resume the webhook.',
  ],
  action: { label: 'Open the webhook', link },
  footer: `You get this mail since ${email} saved this webhook last.`,
})
