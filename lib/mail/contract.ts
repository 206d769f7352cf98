import { z } from 'zod'
import { instant } from '@/lib/values/wire-types'
import { MAIL_STATUSES } from './status'

export const mailParams = z.strictObject({ id: z.string() })

/** A mail as administrators see it. */
export const mail = z
  .object({
    id: z.uuid(),
    to: z.string(),
    subject: z.string(),
    template: z.string(),
    status: z.enum(MAIL_STATUSES),
    attempts: z.int(),
    error: z.string().nullable().meta({ description: 'Why the last attempt failed' }),
    createdAt: instant,
    sentAt: instant.nullable(),
    nextAttemptAt: instant
      .nullable()
      .meta({ description: 'Time of the next attempt; null when none is planned' }),
    content: z.object({ from: z.string(), html: z.string(), text: z.string() }).nullable().meta({
      description:
        'As it was or will be sent; null once the provider has it, and for a key that may do less than the recipient',
    }),
  })
  .meta({ id: 'Engine.Mail' })
export type Mail = z.infer<typeof mail>
