import type { StopReason } from '@/lib/db/schema/webhook-states'
import type { Language } from '../brand'
import type { Template } from '../mail-text'

export type WebhookStoppedProps = {
  email: string
  name: string
  host: string
  reason: StopReason
  link: string
}

const WHY: Record<Language, Record<StopReason, string>> = {
  en: {
    paused: 'It was paused.',
    failing: 'Every attempt of the last 12 hours failed.',
    removed: 'The receiver answered 410, which says that it is there no longer.',
    unauthorised:
      'The account or key that it acts for may no longer manage webhooks, or is not active.',
    invalid: 'Its conditions no longer fit an entity.',
  },
  de: {
    paused: 'Er wurde angehalten.',
    failing: 'Alle Versuche der letzten 12 Stunden sind fehlgeschlagen.',
    removed: 'Der Empfänger antwortete mit 410: Es gibt ihn nicht mehr.',
    unauthorised:
      'Das Konto oder der Schlüssel, für den er handelt, darf Webhooks nicht mehr verwalten oder ist nicht aktiv.',
    invalid: 'Seine Bedingungen passen nicht mehr zu einer Entität.',
  },
}

export const webhookStopped: Template<WebhookStoppedProps> = {
  en: ({ email, name, host, reason, link }) => ({
    subject: `The webhook "${name}" was stopped`,
    preview: WHY.en[reason],
    heading: `The webhook "${name}" was stopped`,
    paragraphs: [
      `Nothing is sent to ${host} for now. ${WHY.en[reason]}`,
      'Nothing is lost meanwhile: changes wait as long as they are kept, and are sent once you resume the webhook.',
    ],
    action: { label: 'Open the webhook', link },
    footer: `You get this mail since ${email} saved this webhook last.`,
  }),
  de: ({ email, name, host, reason, link }) => ({
    subject: `Der Webhook „${name}“ wurde angehalten`,
    preview: WHY.de[reason],
    heading: `Der Webhook „${name}“ wurde angehalten`,
    paragraphs: [
      `An ${host} wird vorerst nichts gesendet. ${WHY.de[reason]}`,
      'Nichts geht verloren: Änderungen warten, solange sie aufbewahrt werden, und werden gesendet, sobald Sie den Webhook fortsetzen.',
    ],
    action: { label: 'Webhook öffnen', link },
    footer: `Sie bekommen diese E-Mail, weil ${email} diesen Webhook zuletzt gespeichert hat.`,
  }),
}
