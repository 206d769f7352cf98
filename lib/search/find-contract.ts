import { z } from 'zod'
import { strictObject } from '@/lib/values/wire-types'

const MAX_TERM = 200

/** Query of `GET /api/records`. */
export const findQuery = strictObject({
  term: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(MAX_TERM, `has at most ${MAX_TERM} characters`)
    .meta({
      description: 'A key, or a part of a text; `Entity: term` looks in one entity',
      examples: ['Berlin'],
    }),
})

/** A record that was found by a key or a text. */
export const foundRecord = z
  .object({
    entity: z.string(),
    persistenceId: z.string().meta({ description: 'As in the addresses of the record' }),
    title: z.string().meta({ description: 'A text that names it; its id where it has none' }),
  })
  .meta({ id: 'Engine.FoundRecord' })
export type FoundRecord = z.infer<typeof foundRecord>

export const findMeta = z.object({
  incomplete: z.array(z.string()).meta({
    description:
      'Entities that were not searched whole: large ones without searchable fields, where only keys were compared, and those that took too long',
  }),
})
