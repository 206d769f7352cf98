import { z } from 'zod'

const MAX_DECISIONS = 5_000

const keys = z
  .array(z.string().min(1).max(2_000))
  .max(MAX_DECISIONS)
  .default([])
  .meta({ description: 'The `key` of each conflict' })

const ofEntity = z
  .strictObject({ keep: keys, take: keys })
  .refine(({ keep, take }) => new Set([...keep, ...take]).size === keep.length + take.length, {
    message: 'A record is named twice',
  })

/** What a request decides about single conflicts, by entity: the keys of records that are kept, or taken. */
export const decisionsSchema = z.record(z.string().min(1).max(200), ofEntity)
export type Decisions = z.infer<typeof decisionsSchema>

/** Body of `POST /api/plugins/history/:id/rollback`, which may be left out. */
export const rollbackBody = z.strictObject({
  decisions: decisionsSchema.optional().meta({
    description: 'About single conflicts, by entity; `onConflict` decides about the others',
  }),
})
