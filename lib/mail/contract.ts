import { z } from 'zod'
import type { MailStatus } from './status'

export const mailParams = z.strictObject({ id: z.string() })

/** A mail as administrators see it. */
export type Mail = {
  id: string
  to: string
  subject: string
  template: string
  status: MailStatus
  attempts: number
  /** Why the last attempt failed. */
  error: string | null
  createdAt: string
  sentAt: string | null
  /** When it is tried again; null unless it waits for that. */
  nextAttemptAt: string | null
  /** As it was or will be sent; null once the provider has it. */
  content: { from: string; html: string; text: string } | null
}
