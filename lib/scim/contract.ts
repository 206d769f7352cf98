import { z } from 'zod'
import { isObject, type JsonObject } from '@/lib/values/json'
import { instant, jsonValue, limitedList } from '@/lib/values/wire-types'

/** The token as the API shows it; only the response that made it has the token itself. */
export const scimToken = z
  .object({
    prefix: z.string(),
    createdBy: z.string().meta({ description: 'Email or key name at the time' }),
    createdAt: instant,
    lastUsedAt: instant.nullable(),
  })
  .meta({ id: 'Engine.ScimToken' })
export type ScimToken = z.infer<typeof scimToken>

export const newScimToken = scimToken
  .extend({ token: z.string().meta({ description: 'The token; it is shown this once' }) })
  .meta({ id: 'Engine.NewScimToken' })
export type NewScimToken = z.infer<typeof newScimToken>

const MAX_OPERATIONS = 1_000

/** A resource as a client sends it. */
export const resourceBody = z
  .custom<JsonObject>(isObject, 'The body must be a JSON object')
  .meta({ type: 'object' })

export const patchBody = z.object({
  schemas: z.array(z.string()).optional(),
  Operations: limitedList(
    z
      .array(
        z.object({
          op: z.string(),
          path: z
            .string()
            .nullish()
            .transform((path) => path ?? undefined),
          value: jsonValue.optional(),
        }),
      )
      .min(1, 'There is no operation'),
    MAX_OPERATIONS,
    `A request has at most ${MAX_OPERATIONS} operations`,
  ),
})
export type PatchBody = z.infer<typeof patchBody>

export const resourceParams = z.object({ id: z.string() })

/** Of one resource. Clients add parameters of their own, such as `aadOptscim062020`, which are ignored. */
export const resourceQuery = z.object({
  attributes: z.string().max(4_000).optional(),
  excludedAttributes: z.string().max(4_000).optional(),
})
export type ResourceQuery = z.infer<typeof resourceQuery>

export const MAX_PAGE = 200

const whole = (name: string) =>
  z.coerce
    .number({ error: `${name} must be a whole number` })
    .int()
    .min(-1e9)
    .max(1e9)

export const listQuery = resourceQuery.extend({
  filter: z.string().optional(),
  startIndex: whole('startIndex')
    .default(1)
    .transform((index) => Math.max(1, index))
    .meta({ description: 'Of the first resource, from 1' }),
  count: whole('count')
    .default(100)
    .transform((count) => Math.min(MAX_PAGE, Math.max(0, count)))
    .meta({ description: `At most ${MAX_PAGE}` }),
})

/** A resource as it is returned; `/Schemas` has its attributes. */
export const resource = z
  .looseObject({
    schemas: z.array(z.string()),
    meta: z.looseObject({ resourceType: z.string().optional() }).optional(),
  })
  .meta({ id: 'Engine.ScimResource' })
export type Resource = z.infer<typeof resource>

export const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

export const resourceList = z
  .object({
    schemas: z.tuple([z.literal(LIST)]),
    totalResults: z.int(),
    startIndex: z.int(),
    itemsPerPage: z.int(),
    Resources: z.array(resource),
  })
  .meta({ id: 'Engine.ScimList' })
export type ResourceList = z.infer<typeof resourceList>
