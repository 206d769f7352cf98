import { z } from 'zod'
import { effect } from '@/lib/records/contract'
import { jsonValue } from '@/lib/values/wire-types'

const change = z.enum(['added', 'edited', 'deleted'])

/** Query of `GET /api/plugins/:id/drift`. */
export const driftQuery = z.strictObject({
  entity: z.string().min(1).max(200).optional().meta({ description: 'Only of this entity' }),
  change: change.optional().meta({ description: 'Only changes of this kind' }),
  page: z.coerce.number().int().min(0).default(0),
  size: z.coerce.number().int().min(1).max(1000).default(100),
})
export type DriftQuery = z.infer<typeof driftQuery>

/** A record that is not as the plugin last gave it. */
export const drift = z
  .object({
    entity: z.string(),
    key: z.string().meta({ description: 'The `persistenceId`' }),
    change: change.meta({
      description: '`added`: the plugin did not give it; `edited`, `deleted`: here, since it did',
    }),
    fields: z.array(z.object({ field: z.string(), base: jsonValue, ours: jsonValue })).meta({
      description: 'Of an edited record. `base`: as the plugin gave it; `ours`: as it is',
    }),
  })
  .meta({ id: 'Engine.PluginDrift' })
export type Drift = z.infer<typeof drift>

/** Body of `POST /api/plugins/:id/drift/resolve`. */
export const resolveDriftBody = z.strictObject({
  entity: z.string().min(1).max(200),
  keys: z
    .array(z.string().min(1).max(2_000))
    .min(1)
    .max(1_000)
    .meta({ description: 'The `persistenceId` of each record' }),
  action: z.enum(['adopt', 'revert']).meta({
    description:
      '`adopt`: what is here counts as given by the plugin; `revert`: the records become as the plugin gave them, and added ones go to the trash',
  }),
})
export type ResolveDrift = z.infer<typeof resolveDriftBody>

export const resolvedDrift = z.object({
  resolved: z.int().min(0).meta({ description: 'The number of records that differed' }),
  effects: z.array(effect).optional().meta({
    description: 'On records that refer to those that went to the trash, by `onDelete`',
  }),
})
