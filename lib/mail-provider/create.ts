import type { Env } from '@/lib/env'
import type { MailProvider } from './provider'
import { resendProvider } from './resend'
import { smtpProvider } from './smtp'

/** Null without a provider: mails stay in the outbox. */
export function createMailProvider({
  SMTP_URL,
  RESEND_API_KEY,
  RESEND_BASE_URL,
}: Env): MailProvider | null {
  if (SMTP_URL) return smtpProvider(SMTP_URL)
  return RESEND_API_KEY ? resendProvider(RESEND_API_KEY, { baseUrl: RESEND_BASE_URL }) : null
}
