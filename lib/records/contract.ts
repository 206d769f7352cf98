import { z } from 'zod'
import { entityParams, searchQuery } from '@/lib/search/contract'
import { isObject, type JsonObject } from '@/lib/values/json'
import { count, jsonValue, strictObject } from '@/lib/values/wire-types'

/** The most records of one request. */
export const MAX_RECORDS = 10_000

/** Path of one record. */
export const recordParams = entityParams.extend({
  id: z.string().min(1).max(10_000).meta({ description: 'The `persistenceId`' }),
})

/** The fields and expansions to return. */
export const recordQuery = strictObject({
  fields: searchQuery.shape.fields,
  expand: searchQuery.shape.expand,
})

/** A record in responses, with `persistenceId`; callers without the right to read get only that. */
export const record = z.custom<JsonObject>().meta({ component: 'Engine.Record' })

/** The requested fields of a record; without `fields` all. */
export const recordFields = z.custom<JsonObject>().meta({ component: 'Engine.Record.Fields' })

/**
 * A record as clients send it: any JSON object, checked against its entity. `form` names its form
 * in the API reference: whole (`New`), whole without its key (`Replacement`), in part (`Change`), or
 * in part with its key (`Keyed`).
 */
export const recordBody = (form: 'New' | 'Replacement' | 'Change' | 'Keyed') =>
  z
    .unknown()
    .refine(isObject, 'must be an object with the fields of a record')
    .transform((value) => value as JsonObject)
    .meta({ component: `Engine.Record.${form}` })

const SHAPE = 'must be a list of records, or { "records": [...] }'
const SIZE = `must contain 1 to ${MAX_RECORDS} records`

/**
 * Many records: a list of them, or `{ records: [...] }`. Each is checked against the entity, so that
 * all records are reported together.
 */
export const recordsBody = (form: 'New' | 'Keyed') =>
  z
    .preprocess(
      (body) => (isObject(body) && Object.keys(body).join() === 'records' ? body.records : body),
      z
        .array(z.unknown().meta({ component: `Engine.Record.${form}` }), SHAPE)
        .min(1, SIZE)
        .max(MAX_RECORDS, SIZE),
    )
    .meta({ description: 'A list, or `{ "records": [...] }`' })

/** What a deletion does to the records of another entity, by its `onDelete`. */
export const effect = z
  .object({
    entity: z.string(),
    field: z
      .string()
      .optional()
      .meta({ description: 'Of `emptied`: the field that referred to a deleted record' }),
    action: z.enum(['deleted', 'emptied']),
    count: count.nullable().meta({ description: 'Null without the right to read the entity' }),
  })
  .meta({ id: 'Engine.DeletionEffect' })
export type Effect = z.infer<typeof effect>

/** The number of deleted records uses this spelling. */
export const effected = z.object({ effected: count })

/** Records that refer by one field to records to be deleted. */
export const blocker = z
  .object({
    entity: z.string(),
    field: z.string().meta({ description: 'Empty where policies hide it' }),
    count: count.nullable().meta({
      description: 'Number of referring records; null without the right to read all of them',
    }),
  })
  .meta({ id: 'Engine.Blocker' })
export type Blocker = z.infer<typeof blocker>

/** Of a deletion that can be undone. */
export const deletionMeta = z.object({
  batchId: z
    .string()
    .nullish()
    .meta({ description: 'With `undo` or `ignored`: the id for restoring it' }),
  effects: z
    .array(effect)
    .optional()
    .meta({ description: 'On records that refer to the deleted ones, by `onDelete`' }),
})

const always = z.literal(true)

/** What may stand in place of a value in an edit of all matching records; checked by `readSet`, which names the nearest operator. */
export const expression = z
  .union([
    z.strictObject({ $increment: z.number() }).meta({ description: 'Adds to a number' }),
    z.strictObject({ $multiply: z.number() }).meta({ description: 'Multiplies a number' }),
    z
      .strictObject({ $append: jsonValue })
      .meta({ description: 'To a text, or elements to a list' }),
    z.strictObject({ $prepend: jsonValue }).meta({ description: 'The same at the beginning' }),
    z.strictObject({ $remove: jsonValue }).meta({ description: 'Elements of a list' }),
    z.strictObject({ $field: z.string() }).meta({ description: 'The value of another field' }),
    z.strictObject({ $now: always }).meta({ description: 'The time of the edit' }),
    z.strictObject({ $unset: always }).meta({ description: 'No value' }),
    z.strictObject({ $value: jsonValue }).meta({ description: 'Exactly this value' }),
  ])
  .meta({ id: 'Engine.Expression' })

const values = z.record(z.string(), jsonValue)

/** A record that an edit changes, as a dry run shows it. */
const editSample = z
  .object({
    key: jsonValue.meta({ description: 'Its key; an object if it has several parts' }),
    before: values.meta({ description: 'The fields of `set` as they are' }),
    after: values.meta({ description: 'The same as they would be' }),
  })
  .meta({ id: 'Engine.EditSample' })
export type EditSample = z.infer<typeof editSample>

/** Of an edit of all matching records. */
export const editMeta = z.object({
  updated: count,
  unchanged: count.meta({ description: 'Matching records that had the values already' }),
  dryRun: z.literal(true).optional(),
  sample: z
    .array(editSample)
    .optional()
    .meta({ description: 'Of a dry run: the first 10 records by key' }),
  batchId: z.string().nullish().meta({
    description: 'With `undo`: the id for taking it back; null when nothing changed',
  }),
})
