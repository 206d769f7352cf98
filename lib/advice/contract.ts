import { z } from 'zod'
import { INDEX_KINDS } from '@/lib/definitions/definition'
import type { ShapeCondition } from '@/lib/definitions/search-shape'
import { instant, limitedList, strictObject } from '@/lib/values/wire-types'

/** The fields of one index, after which its key follows. */
const MAX_FIELDS = 8

const fieldName = z.string().min(1, 'must not be empty').max(2000)

const indexField = z.union([
  fieldName,
  strictObject({
    field: fieldName,
    use: z.enum(['equal', 'sort']).default('equal').meta({
      description:
        'Texts compare by their exact value or sort in natural order, not both by one index',
    }),
    direction: z.enum(['asc', 'desc']).default('asc').meta({
      description: 'Of JSON values only; an index on a declared field serves both directions',
    }),
  }),
])

/** Body of `POST /api/entities/:entityName/indexes`. */
export const indexBody = strictObject({
  fields: limitedList(z.array(indexField).min(1, 'must name a field'), MAX_FIELDS),
  kind: z.enum(INDEX_KINDS).default('btree').meta({
    description:
      '`btree`: equality, ranges, sorts. `trigram`: parts of a text. `json`: equality inside JSON and undeclared fields',
  }),
  unique: z.boolean().default(false),
}).meta({ id: 'Engine.NewIndex' })
export type IndexBody = z.infer<typeof indexBody>

/** Path of one added index. */
export const indexParams = z.strictObject({
  entityName: z.string().min(1).max(200),
  name: z.string().min(1).max(63),
})

const usedField = z.object({
  field: z.string(),
  use: z.enum(['equal', 'sort']),
  direction: z.enum(['asc', 'desc']),
})

const figures = z.object({ runs: z.int(), meanMs: z.number(), maxMs: z.number() })
export type Figures = z.infer<typeof figures>

/** An index that was added to an entity. */
export const addedIndex = z
  .object({
    name: z.string(),
    kind: z.enum(INDEX_KINDS),
    unique: z.boolean(),
    fields: z.array(usedField),
    state: z.enum(['building', 'ready', 'failed']),
    progress: z
      .number()
      .nullable()
      .meta({ description: 'The part that is built, 0 to 1; null when unknown' }),
    error: z.string().nullable().meta({ description: 'Why it failed' }),
    bytes: z.int().nullable(),
    scans: z.int().nullable().meta({ description: 'How often the database used it' }),
    createdAt: instant,
    readyAt: instant.nullable(),
  })
  .meta({ id: 'Engine.AddedIndex' })
export type AddedIndexView = z.infer<typeof addedIndex>

const condition: z.ZodType<ShapeCondition> = z
  .union([
    z.object({ field: z.string(), operator: z.string() }),
    z.object({
      operator: z.enum(['and', 'or', 'not']),
      of: z.array(z.lazy(() => condition)),
    }),
  ])
  .meta({ id: 'Engine.ShapeCondition' }) as z.ZodType<ShapeCondition>

const gain = z
  .object({
    method: z.enum(['hypothetical plan', 'estimate']).meta({
      description:
        '`hypothetical plan`: the planner’s cost with an index that hypopg pretends to have; `estimate`: computed from its cost and selectivity without the index',
    }),
    costNow: z.number().meta({ description: 'Of a run, in the planner’s units' }),
    costWith: z.number(),
    matches: z.int().meta({ description: 'Records that the planner expects to match' }),
  })
  .meta({ id: 'Engine.IndexGain' })
export type Gain = z.infer<typeof gain>

const suggestion = z
  .object({
    create: z
      .object({ kind: z.enum(INDEX_KINDS), fields: z.array(usedField) })
      .meta({ description: 'What to send to `POST …/indexes`' }),
    why: z.string(),
    verdict: z
      .enum(['create', 'exists', 'building', 'too small'])
      .meta({ description: '`too small`: the table is read in no time' }),
    existing: z.string().nullable().meta({ description: 'The index that serves it already' }),
    cost: z.object({
      bytes: z.int().meta({ description: 'Its estimated size' }),
      entriesPerRecord: z
        .int()
        .meta({ description: 'Entries that writing a record adds to it, estimated' }),
    }),
    gain: gain.nullable(),
  })
  .meta({ id: 'Engine.IndexSuggestion' })
export type IndexSuggestion = z.infer<typeof suggestion>

/** A shape of slow searches and what would help. */
export const advice = z
  .object({
    id: z.string(),
    search: z.object({
      where: z.array(condition),
      sort: z.array(z.object({ field: z.string(), direction: z.enum(['asc', 'desc']) })),
      groupBy: z.array(z.string()).optional(),
      count: z.enum(['exact', 'estimated', 'none']),
      deep: z.literal(true).optional().meta({ description: 'Far behind the first page' }),
    }),
    runs: z.int(),
    totalMs: z.number(),
    meanMs: z.number(),
    maxMs: z.number(),
    lastMs: z.number(),
    lastAt: instant,
    before: figures
      .nullable()
      .meta({ description: 'Until an index for it was ready; the others count from then on' }),
    suggestions: z.array(suggestion),
    notes: z.array(z.string()).meta({ description: 'What no index helps, and what else would' }),
  })
  .meta({ id: 'Engine.Advice' })
export type Advice = z.infer<typeof advice>

export const adviceMeta = z.object({
  slowSearchMs: z.number().meta({ description: 'Searches that take this long are kept' }),
  table: z.object({
    records: z.int().meta({ description: 'An estimate' }),
    bytes: z.int(),
    indexes: z.int().meta({ description: 'Number of its indexes, which every write maintains' }),
  }),
  indexes: z.array(addedIndex),
})
export type AdviceMeta = z.infer<typeof adviceMeta>
