import { z } from 'zod'
import type { Json, JsonObject } from './json'
import { nameFault } from './name-fault'
import { unknownName } from './unknown-name'

/** Parts of responses, for the schemas of contracts. */

/** ISO 8601 in UTC. */
export const instant = z.iso.datetime()

/** Any JSON object. */
export const jsonObject = z.custom<JsonObject>().meta({ type: 'object' })

/** Any JSON. */
export const jsonValue = z.custom<Json>()

/** The number of records by outcome, of a response for many. */
export const count = z.int().min(0)

/** Unknown keys that the error names: the search for the nearest name takes time. */
const MAX_NAMED = 100

/** `z.strictObject` whose error about an unknown key names the nearest known one. */
export const strictObject = <Fields extends z.core.$ZodLooseShape>(shape: Fields) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys
            .slice(0, MAX_NAMED)
            .map((key) => unknownName('property', key, Object.keys(shape)))
            .join('\n')
        : undefined,
  })

/**
 * `list`, of at most `max` items. Unlike `.max(max)` alone, does not check the items of a longer
 * one, so that a list of a million invalid items is cheap to refuse.
 */
export const limitedList = <Item extends z.ZodType>(
  list: z.ZodArray<Item>,
  max: number,
  message = `must hold at most ${max} items`,
) =>
  z.preprocess(
    (value, { addIssue }) => {
      if (!Array.isArray(value) || value.length <= max) return value
      addIssue(message)
      return z.NEVER
    },
    list.max(max, message),
  )

/**
 * A text without leading or trailing blanks. Names with blanks are refused rather than trimmed:
 * otherwise what is stored would silently differ from what was sent. Never longer than `max`
 * characters.
 */
export const trimmedText = (
  { missing, max, tooLong }: { missing: string; max: number; tooLong: string },
  params?: Parameters<typeof z.string>[0],
) =>
  z
    .string(params)
    .refine((text) => text.trim() !== '', { error: missing, abort: true })
    .refine((text) => text === text.trim(), 'Must not begin or end with a space')
    .max(max, tooLong)

/** The same for a name that people compare with others, which must not be taken for another one: see `nameFault`. */
export const nameText = (...input: Parameters<typeof trimmedText>) =>
  trimmedText(...input).superRefine((text, { addIssue }) => {
    const fault = nameFault(text)
    if (fault !== null) addIssue(fault)
  })
