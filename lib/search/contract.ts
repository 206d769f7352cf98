import { z } from 'zod'
import { LOGICAL, OPERATOR_NAMES } from '@/lib/definitions/operators'
import { MATCHES_TEXT } from '@/lib/definitions/text-search'
import { isObject, type JsonObject } from '@/lib/values/json'
import { limitedList, strictObject } from '@/lib/values/wire-types'
import { DEFAULT_LIMIT, DEFAULT_SIZE, MAX_LIMIT, MAX_SIZE } from './search-input'

const MAX_UNDO_DAYS = 30

/** `7d`: the deletion can be undone for this number of days. */
export const undo = z
  .string()
  .regex(/^\d{1,3}d$/, 'must be a number of days, such as 7d')
  .transform((text) => Number.parseInt(text, 10))
  .refine((days) => days >= 1 && days <= MAX_UNDO_DAYS, `must be between 1d and ${MAX_UNDO_DAYS}d`)
  .optional()
  .meta({
    description:
      'Keep deleted records for this number of days, such as `7d`, so that they can be restored',
  })

/** Path of everything below `/api/entities/:entityName`. Names are compared exactly. */
export const entityParams = z.strictObject({ entityName: z.string().min(1).max(200) })

/** Query of `GET /api/entities`. */
export const entitiesQuery = strictObject({
  counts: z.stringbool('must be true or false').default(false).meta({
    description: 'Include the number of records of each entity; an estimate for large ones',
  }),
})

/** Resolved against the entity, which reports every fault of a search together. */
const conditions = z.array(z.unknown().meta({ component: 'Engine.Condition' }))

/** Conditions as clients see them; operators are case-insensitive. */
export const condition: z.ZodType = z
  .union([
    z.strictObject({
      field: z.string().meta({ description: 'A field, or a dotted path into JSON' }),
      operator: z.enum(OPERATOR_NAMES),
      value: z.unknown().optional().meta({
        description: 'None for `isnull`, `notnull`; lists for `in nin between near within`',
      }),
    }),
    z.strictObject({
      operator: z.enum(LOGICAL),
      filters: z.array(z.lazy(() => condition)).meta({ description: 'Nested up to 8 deep' }),
    }),
    z.strictObject({
      operator: z.literal(MATCHES_TEXT),
      value: z.string().meta({ description: 'As `q`' }),
    }),
  ])
  .meta({ id: 'Engine.Condition' })

const DIRECTIONS = ['asc', 'desc'] as const

const direction = z.union([
  z.literal(1),
  z.literal(-1),
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(DIRECTIONS, 'must be 1, -1, "asc" or "desc"'))
    .meta({ enum: [...DIRECTIONS] }),
])

const fieldName = z.string().min(1, 'must not be empty')

const FUNCTIONS = ['COUNT', 'SUM', 'AVG', 'MIN', 'MAX'] as const

const aggregate = strictObject({
  function: z
    .string()
    .toUpperCase()
    .pipe(z.enum(FUNCTIONS))
    .meta({ enum: [...FUNCTIONS] }),
  field: fieldName.optional(),
  alias: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Name in the response; `count`, `sum_age`, … when left out' }),
})

const paging = {
  page: z
    .number()
    .int('must be a whole number')
    .min(0, 'counts from 0')
    .optional()
    .meta({ description: 'Counted from 0; not with `cursor`' }),
  size: z
    .number()
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(MAX_SIZE, `must be at most ${MAX_SIZE}`)
    .default(DEFAULT_SIZE),
  cursor: z.string().min(1, 'must not be empty').optional().meta({
    description: '`pagination.next` of an earlier response to the same search: continues after it',
  }),
}
const count = z
  .enum(['exact', 'estimated', 'none'])
  .optional()
  .meta({ description: 'How the total is found. Default: `exact` for pages, `none` with a cursor' })

const selection = {
  entity: z.string().optional().meta({ description: 'Must be the entity of the path' }),
  query: conditions.optional().meta({ description: 'Conditions that must all hold' }),
  filters: conditions.optional().meta({ description: 'Alias of `query`; not both' }),
}

const q = z.string().optional().meta({
  description:
    'Text search in the fields whose schema says `searchable` with a weight: words without case and accents, of which the last may be unfinished, phrases in quotes, `-` before what must not occur. Without a sort the best matches come first; `$rank` can be sorted by, `$rank` and `$highlight` are fields',
})

const CORRECTIONS =
  'Where `q` finds nothing, words that no record has are replaced by such as were likely meant; `meta.corrected` says so'

const sort = limitedList(
  z.array(strictObject({ field: fieldName, direction: direction.default('asc') })),
  16,
  'A search sorts by at most 16 fields',
).default([])

const expandedList = strictObject({
  relation: fieldName.meta({
    description:
      'The name of the relation, such as `OrderByCustomer`, or a path that ends with one',
  }),
  fields: limitedList(z.array(fieldName), 2000).default([]),
  query: conditions.default([]).meta({ description: 'Conditions that must all hold' }),
  sort,
  limit: z
    .number()
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(MAX_LIMIT, `must be at most ${MAX_LIMIT}`)
    .default(DEFAULT_LIMIT),
})

/** Body of `POST /api/entities/:entityName/search`. */
export const searchBody = strictObject({
  ...selection,
  q,
  corrections: z.boolean().default(true).meta({ description: CORRECTIONS }),
  fields: limitedList(z.array(fieldName), 2000).optional(),
  /** Fields, or paths of up to three, whose referred records are returned in place of their keys; relations, whose records are listed. */
  expand: limitedList(z.array(z.union([fieldName, expandedList])), 16).default([]),
  sort,
  pagination: strictObject(paging).prefault({}),
  count,
  groupBy: strictObject({
    fields: limitedList(z.array(fieldName), 16).default([]),
    aggregate: limitedList(z.array(aggregate).min(1, 'needs at least one function'), 32),
  }).optional(),
}).meta({ id: 'Engine.Search' })
export type SearchBody = z.infer<typeof searchBody>

/** Body of `POST /api/entities/:entityName/count`. */
export const countBody = strictObject(selection).meta({ id: 'Engine.Count' })

/** Body of `DELETE /api/entities/:entityName/batch`; other properties are ignored. */
export const deleteBatchBody = z.looseObject({
  ...selection,
  entity: z.string('is required: the name of the entity, as in the address'),
})

/** Body of `PATCH /api/entities/:entityName/batch`. */
export const editBatchBody = strictObject({
  ...selection,
  entity: z.string('is required: the name of the entity, as in the address'),
  set: z
    .unknown()
    .refine(isObject, 'must be an object of fields and their new values')
    .transform((value) => value as JsonObject)
    .meta({ component: 'Engine.Record.Set' }),
})

const filter = z
  .string()
  .default('')
  .meta({ description: '`field:operator:value`; several with commas, values of lists with `|`' })

/** A whole number in a URL. */
export const wholeNumber = (schema: z.ZodType<number, number>) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(schema)

/** Query of `GET /api/entities/:entityName`. */
export const searchQuery = strictObject({
  page: wholeNumber(paging.page.unwrap()).optional(),
  size: wholeNumber(paging.size.unwrap()).default(DEFAULT_SIZE),
  cursor: paging.cursor,
  sort: z
    .string()
    .default('')
    .meta({ description: '`field:asc` or `field:desc`; several with commas' }),
  filter,
  q,
  corrections: z
    .stringbool('must be true or false')
    .default(true)
    .meta({ description: CORRECTIONS }),
  fields: z
    .string()
    .default('')
    .meta({ description: 'Return only these fields; several with commas' }),
  expand: z.string().default('').meta({
    description:
      'References to return as nested records, and lists of records that refer to these: `orders(fields:number|total,sort:date:desc,limit:5,filter:total:gt:9)`; several with commas',
  }),
  count,
})
export type SearchQuery = z.infer<typeof searchQuery>

export const countQuery = strictObject({ filter })

/** Query of `DELETE /api/entities/:entityName/batch`. */
export const deleteBatchQuery = strictObject({
  dryRun: z
    .stringbool('must be true or false')
    .default(false)
    .meta({ description: 'Only count the matching records' }),
  expected: wholeNumber(z.int())
    .optional()
    .meta({ description: 'Refuse unless exactly this many records match' }),
  undo,
})

/** Query of `PATCH /api/entities/:entityName/batch`. */
export const editBatchQuery = strictObject({
  dryRun: z
    .stringbool('must be true or false')
    .default(false)
    .meta({ description: 'Carry it out and take it back: count, and show the first records' }),
  expected: wholeNumber(z.int())
    .optional()
    .meta({ description: 'Refuse unless exactly this many records match' }),
  undo: undo.meta({
    description:
      'Keep the former values for this number of days, such as `7d`, to take it back; needs the right to read',
  }),
})
