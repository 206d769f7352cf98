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

export const testMail = z
  .object({
    to: z.string(),
    accepted: z.boolean(),
    answer: z.string().meta({
      description: 'What the provider said, in one sentence',
      examples: ['smtp.example.com accepted the mail: 250: 2.0.0 Ok: queued as 4F3B2A'],
    }),
  })
  .meta({ id: 'Engine.TestMail' })
export type TestMail = z.infer<typeof testMail>
