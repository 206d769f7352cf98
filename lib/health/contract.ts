import { z } from 'zod'

export const readiness = z
  .object({
    status: z.literal('ready'),
    database: z.object({ status: z.literal('up'), kind: z.enum(['postgres', 'pglite']) }),
    mail: z.object({
      status: z
        .enum(['up', 'not configured'])
        .meta({ description: 'Without a provider mails are kept in the outbox' }),
    }),
    storage: z.object({ status: z.enum(['up', 'down']), provider: z.string() }),
  })
  .meta({ id: 'Engine.Readiness' })
export type Readiness = z.infer<typeof readiness>
