import { z } from 'zod'
import type { Json, JsonObject } from './json'

/** What answers are made of, for the schemas of contracts. */

/** ISO 8601 in UTC. */
export const instant = z.iso.datetime()

/** Any JSON object, whatever it holds. */
export const jsonObject = z.custom<JsonObject>().meta({ type: 'object' })

/** Any JSON. */
export const jsonValue = z.custom<Json>()

/** How many records of an answer of many became what. */
export const count = z.int().min(0)
