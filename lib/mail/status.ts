/**
 * `sent`: the provider has it. `delivered` and `bounced`: what the provider reported afterwards.
 */
export const MAIL_STATUSES = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'bounced',
  'failed',
] as const
export type MailStatus = (typeof MAIL_STATUSES)[number]
