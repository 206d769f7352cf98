import { z } from 'zod'
import { RECORD_ACTIONS } from '@/lib/auth/rights'
import { policyDefinition } from '@/lib/definitions/policy'
import { recordFields } from '@/lib/records/contract'
import { wholeNumber } from '@/lib/search/contract'
import { instant, nameText, strictObject } from '@/lib/values/wire-types'

const page = wholeNumber(z.number().max(1_000_000, 'is too large')).default(0)
const size = wholeNumber(
  z.number().min(1, 'must be at least 1').max(250, 'must be at most 250'),
).default(50)
const filter = (of: string) => z.string().min(1).max(200).optional().meta({ description: of })

/** Query of `GET /api/policies`. */
export const policiesQuery = strictObject({
  entity: filter('Only those about this entity, those about all entities among them'),
  role: filter('Only those that apply to this role, those for all roles among them'),
  plugin: filter('Only those of this plugin; `-`: only those that were made here'),
  page,
  size,
})
export type PoliciesQuery = z.infer<typeof policiesQuery>

export const policyParams = z.strictObject({ id: z.uuid('is not the id of a policy') })

const { shape } = policyDefinition
const name = nameText({
  missing: 'must not be empty',
  max: 128,
  tooLong: 'has at most 128 characters',
})
const description = z.string().max(2_000, 'has at most 2,000 characters')

/** Body of `POST /api/policies`. */
export const createPolicyBody = strictObject({
  ...shape,
  name,
  description: description.optional(),
})
export type CreatePolicyBody = z.infer<typeof createPolicyBody>

const limit = <T extends z.ZodType>(of: T) =>
  of.nullable().meta({ description: '`null` takes it away' })

/** Body of `PATCH /api/policies/:id`: the given properties are changed. */
export const updatePolicyBody = strictObject({
  name: name.optional(),
  description: limit(description).optional(),
  principals: shape.principals.optional(),
  entities: shape.entities.optional(),
  actions: shape.actions.optional(),
  allow: z.boolean().optional(),
  priority: shape.priority.unwrap().optional(),
  where: limit(shape.where.unwrap()).optional(),
  fields: limit(shape.fields.unwrap()).optional(),
  set: limit(shape.set.unwrap()).optional(),
  check: limit(shape.check.unwrap()).optional(),
})
export type UpdatePolicyBody = z.infer<typeof updatePolicyBody>

export const policy = z
  .object({
    id: z.uuid(),
    ...shape,
    plugin: z.string().nullable().meta({ description: 'Whose it is; null: it was made here' }),
    invalid: z.string().nullable().meta({
      description:
        'Why it no longer fits its entities; it denies all that it names until it is mended',
    }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Engine.Policy' })
export type Policy = z.infer<typeof policy>

/** Body of `POST /api/policies/preview`. */
export const previewBody = strictObject({
  entity: z.string().min(1).max(200),
  action: z.enum(RECORD_ACTIONS).default('read').meta({
    description: 'With `write`, the conditions are those that a created record must meet',
  }),
  policy: updatePolicyBody.omit({ name: true }),
  as: strictObject({ user: z.uuid('is not the id of a user').optional() })
    .optional()
    .meta({
      description: 'Whose id and profile the policy compares with; nobody, if left out',
    }),
})
export type PreviewBody = z.infer<typeof previewBody>

/** What a policy concerns of an entity. */
export const policyPreview = z
  .object({
    total: z.int().meta({ description: 'Number of records of the entity' }),
    matching: z.int().meta({ description: 'Number of those that the policy concerns' }),
    fields: z.int().meta({ description: 'Number of fields, undeclared ones included' }),
    visibleFields: z.array(z.string()).meta({
      description: 'Those that it concerns, with the key, which is read with its record',
    }),
    sample: z.array(recordFields).meta({ description: 'Some of the records, with these fields' }),
  })
  .meta({ id: 'Engine.PolicyPreview' })

/** Of changes and deletions. */
export const undoMeta = z.object({
  batchId: z
    .uuid()
    .optional()
    .meta({ description: 'By which it can be undone for 7 days; left out where nothing changed' }),
})
