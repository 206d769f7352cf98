import { z } from 'zod'
import { entityParams } from '@/lib/entities/contract'
import { isObject, type JsonObject } from '@/lib/json'

/** Records that one request may carry. */
export const MAX_RECORDS = 10_000

/** Path of one record; `id` is its `persistenceId`. */
export const recordParams = entityParams.extend({ id: z.string().min(1).max(10_000) })

/** A record as clients send it: any JSON object; its entity says what it may hold. */
export const recordBody = z
  .unknown()
  .refine(isObject, 'must be an object with the fields of a record')
  .transform((value) => value as JsonObject)

const SHAPE = 'must be a list of records, or { "records": [...] }'
const SIZE = `must hold 1 to ${MAX_RECORDS} records`

/**
 * Many records: a list of them, or `{ records: [...] }`. What each must be is said by the entity, of
 * all records at once.
 */
export const recordsBody = z.preprocess(
  (body) => (isObject(body) && Object.keys(body).join() === 'records' ? body.records : body),
  z.array(z.unknown(), SHAPE).min(1, SIZE).max(MAX_RECORDS, SIZE),
)
