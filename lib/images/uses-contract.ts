import { z } from 'zod'
import { foundRecord } from '@/lib/search/find-contract'
import { count } from '@/lib/values/wire-types'

/** Records of one entity that are named. */
export const USES_OF_ENTITY = 20

/** A record that holds an address or an identifier of an image. */
export const imageUse = foundRecord
  .extend({
    fields: z.array(z.string()).meta({ description: 'Names of the fields that hold it' }),
  })
  .meta({ id: 'Engine.ImageUse' })
export type ImageUse = z.infer<typeof imageUse>

export const imageUsesMeta = z.object({
  hidden: count.meta({
    description: 'Records that hold it in entities that the caller may not read; at most 1000',
  }),
  more: z.array(z.string()).meta({
    description: `Entities with more such records than the ${USES_OF_ENTITY} that are named`,
  }),
  incomplete: z.array(z.string()).meta({
    description: 'Entities that could not be searched in time',
  }),
  complete: z.boolean().meta({ description: 'Every entity was searched' }),
})
export type ImageUsesMeta = z.infer<typeof imageUsesMeta>
