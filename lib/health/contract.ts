import { z } from 'zod'

export const readiness = z
  .object({
    status: z.literal('ready'),
    database: z.object({
      status: z.literal('up'),
      kind: z.enum(['postgres', 'pglite']),
      cluster: z
        .object({
          workers: z.int(),
          unreachable: z.int().meta({ description: 'Requests that need their records fail' }),
          unresolved: z.int().meta({
            description:
              'Transactions that a worker has promised to commit and that wait to be; Citus looks after them once a minute',
          }),
        })
        .optional()
        .meta({ description: 'The workers of a Citus cluster' }),
      connections: z
        .object({
          needed: z.int(),
          allowed: z.int(),
          limitedBy: z.enum(['role', 'database', 'server']),
        })
        .optional()
        .meta({
          description:
            'Where PostgreSQL allows fewer connections than this server needs when it is busy',
        }),
    }),
    replicas: z
      .array(
        z.object({
          status: z.enum(['fresh', 'stale', 'away', 'refused']),
          lagMs: z.int().nullable(),
        }),
      )
      .optional()
      .meta({
        description:
          'In the order of `DATABASE_REPLICA_URLS`; only `fresh` ones are read. `lagMs`: how far behind the primary, null where that is not known',
      }),
    mail: z.object({
      status: z
        .enum(['up', 'not configured'])
        .meta({ description: 'Without a provider mails are kept in the outbox' }),
    }),
    storage: z.object({ status: z.enum(['up', 'down']), provider: z.string() }),
  })
  .meta({ id: 'Engine.Readiness' })
export type Readiness = z.infer<typeof readiness>
