import { z } from 'zod'
import { BUILT_IN_ROLES, RECORD_ACTIONS } from '@/lib/auth/rights'
import { jsonValue } from '@/lib/values/wire-types'

/** Added to the query of `GET /api/rights`: with one of them, it asks about one right. */
export const whyQuery = {
  user: z.uuid('is not the id of a user').optional().meta({ description: 'Whose right it is' }),
  key: z.uuid('is not the id of a key').optional().meta({ description: 'Whose right it is' }),
  action: z.enum(RECORD_ACTIONS).optional().meta({ description: '`read` if left out' }),
  id: z.string().min(1).max(2000).optional().meta({ description: 'Of a record' }),
  field: z.string().min(1).max(2000).optional().meta({ description: 'A field of the entity' }),
}

const whyPolicy = z
  .object({
    name: z.string(),
    pluginId: z.string().nullable(),
    allow: z.boolean(),
    applies: z.boolean().nullable().meta({
      description: 'To what was asked about; null: to some records, and none was asked about',
    }),
    missed: jsonValue.meta({
      description:
        'The first of its conditions that the record does not meet, as the policy has it',
    }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it does not apply, or that it is invalid' }),
  })
  .meta({ id: 'Engine.WhyPolicy' })
export type WhyPolicy = z.infer<typeof whyPolicy>

/** Why somebody may do something, or may not. */
export const why = z
  .object({
    entity: z.string(),
    action: z.enum(RECORD_ACTIONS),
    id: z.string().nullable(),
    field: z.string().nullable(),
    allowed: z.boolean().meta({ description: 'Of an entity or field: in some records at least' }),
    records: z.enum(['all', 'some', 'none']).meta({
      description: 'For how many records of the entity the answer is yes, by the policies',
    }),
    reason: z.string(),
    role: z
      .enum(BUILT_IN_ROLES)
      .nullable()
      .meta({ description: 'The built-in role that allows it' }),
    policies: z.array(whyPolicy).meta({ description: 'Those that have a say in it' }),
  })
  .meta({ id: 'Engine.Why' })
export type Why = z.infer<typeof why>
