import { z } from 'zod'

export const serverCheck = z
  .object({
    name: z.string().meta({ description: 'Stays the same in later versions' }),
    title: z.string(),
    status: z.enum(['ok', 'warning', 'fault']).meta({
      description: 'Of a `fault`, something does not work or soon will not',
    }),
    finding: z.string().meta({ description: 'What was found, for people; never a secret' }),
    action: z.string().nullable().meta({ description: 'What to do; null where nothing is to do' }),
  })
  .meta({ id: 'Engine.ServerCheck' })
export type ServerCheck = z.infer<typeof serverCheck>
