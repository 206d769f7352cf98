import { z } from 'zod'
import { strictObject } from '@/lib/strict-object'
import { DEFAULT_SIZE, MAX_SIZE } from './search/search-input'
import { undo } from './trash/undo'

/** Path of everything below `/api/entities/:entityName`. Names are compared exactly. */
export const entityParams = z.strictObject({ entityName: z.string().min(1).max(200) })

/** Query of `GET /api/entities`. */
export const entitiesQuery = strictObject({
  /** Also tell how many records each entity has; of large ones an estimate. */
  counts: z.stringbool('must be true or false').default(false),
})

const conditions = z.array(
  z.unknown().meta({
    type: 'object',
    description:
      '`{ field, operator, value }`, or `{ operator: "and"|"or"|"not", filters: [conditions] }`',
  }),
)

const direction = z.union([
  z.literal(1),
  z.literal(-1),
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(['asc', 'desc'], 'must be 1, -1, "asc" or "desc"')),
])

const fieldName = z.string().min(1, 'must not be empty')

const aggregate = strictObject({
  function: z
    .string()
    .toUpperCase()
    .pipe(z.enum(['COUNT', 'SUM', 'AVG', 'MIN', 'MAX'])),
  field: fieldName.optional(),
  alias: z.string().min(1).max(100).optional(),
})

const paging = {
  /** Not beside `cursor`; without either the first page, 0. */
  page: z.number().int('must be a whole number').min(0, 'counts from 0').optional(),
  size: z
    .number()
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(MAX_SIZE, `must be at most ${MAX_SIZE}`)
    .default(DEFAULT_SIZE),
  /** `pagination.next` of an earlier answer to the same search: goes on after its last record. */
  cursor: z.string().min(1, 'must not be empty').optional(),
}
/** Without it `exact` for pages, `none` with a cursor. */
const count = z.enum(['exact', 'estimated', 'none']).optional()

const selection = {
  /** Must be the entity of the path. */
  entity: z.string().optional(),
  /** Conditions that must all hold. */
  query: conditions.optional(),
  /** Another name of `query`; not both. */
  filters: conditions.optional(),
}

/** Body of `POST /api/entities/:entityName/search`. */
export const searchBody = strictObject({
  ...selection,
  fields: z.array(fieldName).max(2000).optional(),
  /** Fields, or paths of up to three, whose referred records are answered in place of their keys. */
  expand: z.array(fieldName).max(16).default([]),
  sort: z
    .array(strictObject({ field: fieldName, direction: direction.default('asc') }))
    .default([]),
  pagination: strictObject(paging).prefault({}),
  count,
  groupBy: strictObject({
    fields: z.array(fieldName).max(16).default([]),
    aggregate: z.array(aggregate).min(1, 'needs at least one function').max(32),
  }).optional(),
})
export type SearchBody = z.infer<typeof searchBody>

/** Body of `POST /api/entities/:entityName/count`. */
export const countBody = strictObject(selection)
export type CountBody = z.infer<typeof countBody>

/** Body of `DELETE /api/entities/:entityName/batch`; other properties are ignored, interface.md §7. */
export const deleteBatchBody = z.looseObject({
  ...selection,
  entity: z.string('is required: the name of the entity, as in the address'),
})
export type DeleteBatchBody = z.infer<typeof deleteBatchBody>

/** A whole number in a URL. */
export const wholeNumber = (schema: z.ZodType<number, number>) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(schema)

/** Query of `GET /api/entities/:entityName`, interface.md §6. */
export const searchQuery = strictObject({
  page: wholeNumber(paging.page.unwrap()).optional(),
  size: wholeNumber(paging.size.unwrap()).default(DEFAULT_SIZE),
  cursor: paging.cursor,
  sort: z.string().default(''),
  filter: z.string().default(''),
  fields: z.string().default(''),
  expand: z.string().default(''),
  count,
})
export type SearchQuery = z.infer<typeof searchQuery>

export const countQuery = strictObject({ filter: z.string().default('') })

/** Query of `DELETE /api/entities/:entityName/batch`. */
export const deleteBatchQuery = strictObject({
  /** Only count what would go. */
  dryRun: z.stringbool('must be true or false').default(false),
  /** Refuse unless exactly so many records match. */
  expected: wholeNumber(z.number()).optional(),
  undo,
})
export type DeleteBatchQuery = z.infer<typeof deleteBatchQuery>
