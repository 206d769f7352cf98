import { z } from 'zod'
import type { Json, JsonObject } from './json'

/** Parts of responses, for the schemas of contracts. */

/** ISO 8601 in UTC. */
export const instant = z.iso.datetime()

/** Any JSON object. */
export const jsonObject = z.custom<JsonObject>().meta({ type: 'object' })

/** Any JSON. */
export const jsonValue = z.custom<Json>()

/** The number of records by outcome, of a response for many. */
export const count = z.int().min(0)
