import { z } from 'zod'
import { strictObject } from '@/lib/values/wire-types'

const distribution = z.union([
  z.enum(['local', 'reference']),
  strictObject({
    by: z.string().min(1).max(63).meta({ description: 'One of the keys' }),
    with: z.string().min(1).max(200).optional().meta({
      description: 'An entity whose records of the same value are on the same node',
    }),
  }),
])

/** Body of `POST /api/entities/:entityName/distribution`. */
export const distributionBody = strictObject({ distribution }).meta({
  id: 'Engine.NewDistribution',
})

export const distributionQuery = z.strictObject({
  dryRun: z.stringbool().default(false).meta({ description: 'Only report what it would do' }),
})

/** Where the records of an entity are. */
export const distributionState = z
  .object({
    entity: z.string(),
    distribution: distribution.nullable().meta({
      description: 'What the definition says; null: nothing, the records stay where they are',
    }),
    placement: z
      .object({
        type: z.enum(['local', 'reference', 'distributed']),
        by: z.string().optional(),
        shards: z.int().optional(),
        with: z.array(z.string()).optional().meta({
          description: 'Entities whose records of the same value are on the same node',
        }),
      })
      .nullable()
      .meta({ description: 'Where the records are; null: the database is no cluster' }),
    move: z
      .object({ copied: z.int(), records: z.int().meta({ description: 'An estimate' }) })
      .nullable()
      .meta({ description: 'While the records are moved: how many have been copied' }),
  })
  .meta({ id: 'Engine.DistributionState' })
export type DistributionState = z.infer<typeof distributionState>

/** What moving an entity does, or with `dryRun` would do, in words. */
export const distributionChange = z
  .object({ entity: z.string(), dryRun: z.boolean(), steps: z.array(z.string()) })
  .meta({ id: 'Engine.DistributionChange' })
export type DistributionChange = z.infer<typeof distributionChange>
