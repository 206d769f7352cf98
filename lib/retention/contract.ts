import { z } from 'zod'
import { instant } from '@/lib/values/wire-types'

export const retained = z
  .object({
    name: z.string().meta({ description: 'Stays the same in later versions' }),
    title: z.string(),
    kept: z.string().meta({ description: 'How long and how much, for people' }),
    settings: z.array(z.string()).meta({ description: 'The settings that say so' }),
    entries: z.int(),
    isEstimate: z
      .boolean()
      .meta({ description: 'From 100,000 entries on, by the statistics of the database' }),
    bytes: z.int().meta({
      description:
        'On disk, indexes and what deletions left included; on a cluster, of its coordinator',
    }),
    oldestAt: instant.nullable(),
  })
  .meta({ id: 'Engine.Retained' })
export type Retained = z.infer<typeof retained>
